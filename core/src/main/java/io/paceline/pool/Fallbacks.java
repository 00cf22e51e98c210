package io.paceline.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** In which order other pools serve for one that cannot: its fallback, that one's fallback, and so on. */
public final class Fallbacks {
    private Fallbacks() {}

    /** The way leads back to a pool that it has passed. */
    public static final class CircleException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private CircleException(String message) {
            super(message);
        }
    }

    /** @throws IllegalArgumentException as {@link #of}, and names the pool */
    public static void check(PoolSettings pool, Map<String, PoolSettings> pools) {
        try {
            of(pool, pools);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("pools: " + pool.name() + ": " + wrong.getMessage(), wrong);
        }
    }

    /**
     * The pools that serve for {@code pool}, in order; empty where it names none.
     *
     * @param pools every pool by its name
     * @throws IllegalArgumentException where a name is unknown, or the way leads back
     */
    public static List<String> of(PoolSettings pool, Map<String, PoolSettings> pools) {
        List<String> order = new ArrayList<>();
        order.add(pool.name());
        for (String next = pool.fallback(); next != null; ) {
            PoolSettings settings = pools.get(next);
            if (settings == null) {
                throw new IllegalArgumentException(
                        "fallback: no pool is called \"" + next + "\": there is " + String.join(", ", pools.keySet()));
            }
            boolean circle = order.contains(next);
            order.add(next);
            if (circle) {
                throw new CircleException(
                        "fallback leads in a circle, " + String.join(" -> ", order) + ": take it out of one of them");
            }
            next = settings.fallback();
        }
        return List.copyOf(order.subList(1, order.size()));
    }
}
