package io.paceline.pool;

import io.paceline.Tags;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pool does differently for one {@code task}.
 *
 * @param strategy the strategy in place of the pool's own, or null for that
 * @param prefer tags of the addresses that come first; see {@link Preference}
 */
public record TaskSettings(@Nullable Strategy strategy, Map<String, String> prefer) {

    public TaskSettings {
        prefer = Tags.normal(prefer);
    }
}
