package io.paceline.pace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is configured for the targets that match: one entry of {@code targets}.
 *
 * @param match which hosts or URLs
 * @param name makes one target of all that match; null where each domain stays its own
 * @param pool the pool to serve from; null for the one of a wider entry, else the first
 */
public record TargetSettings(
        HostPattern match, @Nullable String name, @Nullable String pool) {

    public TargetSettings {
        Objects.requireNonNull(match, "match");
        if (name != null) {
            Names.check("name", name);
        }
    }
}
