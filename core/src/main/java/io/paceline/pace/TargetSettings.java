package io.paceline.pace;

import io.paceline.Tags;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is configured for the targets that match: one entry of {@code targets}.
 *
 * @param match which hosts or URLs
 * @param name makes one target of all that match; null where each domain stays its own
 * @param pool the pool to serve from; null for the one of a wider entry, else the first
 * @param prefer tags of the addresses that come first; null for those of a wider entry, empty for none
 */
public record TargetSettings(
        HostPattern match,
        @Nullable String name,
        @Nullable String pool,
        @Nullable Map<String, String> prefer) {

    /** An entry that says nothing of preferences. */
    public TargetSettings(HostPattern match, @Nullable String name, @Nullable String pool) {
        this(match, name, pool, null);
    }

    public TargetSettings {
        Objects.requireNonNull(match, "match");
        prefer = prefer == null ? null : Tags.normal(prefer);
        if (name != null) {
            Names.check("name", name);
        }
    }
}
