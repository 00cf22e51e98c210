package io.paceline.pace;

import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant pays: {@code prices} of {@code tenants[]}. The price of a pool goes before that of a kind of address, and
 * both before the usual one. Money is in billionths of a currency that only the operator knows.
 *
 * @param pools by the pool's name
 * @param kinds by the address's tag {@code kind}
 */
public record Prices(Price usual, Map<String, Price> pools, Map<String, Price> kinds) {
    /** Everything for nothing. */
    public static final Prices NONE = new Prices(new Price(null, null), Map.of(), Map.of());

    private static final BigInteger GIB = BigInteger.valueOf(1L << 30);

    /**
     * What one thing costs; null where a wider price says it.
     *
     * @param permit a permit that was used
     * @param gib 2^30 octets received
     */
    public record Price(@Nullable Long permit, @Nullable Long gib) {
        public Price {
            check("per_permit", permit);
            check("per_gib", gib);
        }

        private static void check(String name, @Nullable Long price) {
            if (price != null && price < 0) {
                throw new IllegalArgumentException(name + " is below 0: nobody is paid for asking");
            }
        }
    }

    public Prices {
        pools = Map.copyOf(pools);
        kinds = Map.copyOf(kinds);
    }

    /** Whether anything costs anything. */
    public boolean any() {
        return !equals(NONE);
    }

    /** What one permit costs from a pool and a kind of address; the kind is null where the address has none. */
    public long permit(String pool, @Nullable String kind) {
        Price ofPool = pools.get(pool);
        Price ofKind = kind == null ? null : kinds.get(kind);
        return first(ofPool == null ? null : ofPool.permit(), ofKind == null ? null : ofKind.permit(), usual.permit());
    }

    /** What so many octets cost. */
    public long bytes(String pool, @Nullable String kind, long octets) {
        Price ofPool = pools.get(pool);
        Price ofKind = kind == null ? null : kinds.get(kind);
        long gib = first(ofPool == null ? null : ofPool.gib(), ofKind == null ? null : ofKind.gib(), usual.gib());
        if (gib == 0 || octets <= 0) {
            return 0;
        }
        BigInteger price =
                BigInteger.valueOf(octets).multiply(BigInteger.valueOf(gib)).divide(GIB);
        return price.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    private static long first(@Nullable Long narrow, @Nullable Long wider, @Nullable Long widest) {
        return narrow != null ? narrow : wider != null ? wider : widest != null ? widest : 0;
    }
}
