package io.paceline.sim.replay;

import io.paceline.Request;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was recorded.
 *
 * @param askedMicros when it came
 * @param pool the pool that served it
 * @param client a pseudonym, or null
 * @param session a pseudonym, or null
 * @param tenant whose request it was; empty for the only one
 * @param wanted how many permits, at what cost, how soon
 */
public record Arrival(
        long askedMicros,
        String pool,
        String host,
        @Nullable String client,
        @Nullable String session,
        @Nullable String task,
        Map<String, String> tags,
        String tenant,
        Wanted wanted) {

    /**
     * What was asked for.
     *
     * @param maxWaitMicros negative where the request did not say
     * @param releases false for a permit that needs no release
     */
    public record Wanted(int count, int cost, Request.Priority priority, long maxWaitMicros, boolean releases) {}

    public Arrival {
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(host, "host");
        tags = Map.copyOf(tags);
    }
}
