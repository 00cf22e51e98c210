package io.paceline.pace;

import io.paceline.Tags;
import io.paceline.pace.LimitSpec.Pace;
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
 * @param robots what its robots.txt is to us; null for the word of a wider entry
 * @param hints whom the waits that it asks for are meant for; null for the word of a wider entry
 * @param pace between which bounds its pace is found out; null for that of a wider entry
 * @param headers fields that requests should carry, each in place of that of a wider entry; null for none of its own
 */
public record TargetSettings(
        HostPattern match,
        @Nullable String name,
        @Nullable String pool,
        @Nullable Map<String, String> prefer,
        @Nullable RobotsMode robots,
        @Nullable HintScope hints,
        @Nullable Pace pace,
        @Nullable Map<String, String> headers) {

    public TargetSettings {
        Objects.requireNonNull(match, "match");
        prefer = prefer == null ? null : Tags.normal(prefer);
        if (name != null) {
            Names.check("name", name);
        }
        headers = SuggestedFields.checked(headers == null ? Map.of() : headers);
    }

    /** Name and pool alone. */
    public TargetSettings(HostPattern match, @Nullable String name, @Nullable String pool) {
        this(match, name, pool, null, null, null, null, null);
    }
}
