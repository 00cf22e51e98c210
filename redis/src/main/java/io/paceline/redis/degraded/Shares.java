package io.paceline.redis.degraded;

import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Per;
import org.jspecify.annotations.Nullable;

/**
 * What of a limit one of n instances may use alone. All shares together never let more start, in any window, than the limit
 * lets:
 *
 * <pre>
 *   window, calendar, concurrency   floor(limit / n), and one more for the first (limit mod n) by the key's rank
 *   gcra(T, burst)                  m = min(n, burst) take part: gcra(m * T, floor(burst / m) or one more)
 *   pace                            floor / n to ceiling / n
 * </pre>
 *
 * <p>For GCRA with shares of burst b_i: a window W holds at most sum(b_i - 1) + m * ceil(W' / (m * T)) where W' / T is
 * limit - burst + 1, which is at most burst - m + limit - burst + 1 + m - 1 = limit. Where the limit is smaller than n, the
 * last by rank have no share: an instance must not send one each where the whole fleet may send one.
 */
final class Shares {
    private Shares() {}

    /**
     * @param rank of the instance for the limit's key, from 0
     * @return null where it has no share
     */
    static @Nullable LimitSpec of(LimitSpec spec, int instances, int rank) {
        if (instances == 1) {
            return spec;
        }
        if (spec instanceof LimitSpec.Window window) {
            int own = part(window.limit(), instances, rank);
            return own == 0 ? null : new LimitSpec.Window(own, window.windowMicros());
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            int own = part(calendar.limit(), instances, rank);
            return own == 0 ? null : new LimitSpec.Calendar(own, calendar.windowMicros(), calendar.zone());
        }
        if (spec instanceof LimitSpec.Concurrency concurrency) {
            int own = part(concurrency.max(), instances, rank);
            return own == 0 ? null : new LimitSpec.Concurrency(own);
        }
        if (spec instanceof LimitSpec.Pace pace) {
            return new LimitSpec.Pace(pace.floor() / instances, pace.ceiling() / instances);
        }
        return of((LimitSpec.Gcra) spec, instances, rank);
    }

    private static @Nullable LimitSpec of(LimitSpec.Gcra gcra, int instances, int rank) {
        int own = part(gcra.burst(), instances, rank);
        return own == 0
                ? null
                : new LimitSpec.Gcra(
                        Math.multiplyExact(gcra.intervalMicros(), (long) Math.min(instances, gcra.burst())), own);
    }

    /** One that lets nothing start that either of the two would not. Both are shares of one limit. */
    static LimitSpec smaller(LimitSpec one, LimitSpec other) {
        if (one instanceof LimitSpec.Gcra a && other instanceof LimitSpec.Gcra b) {
            return new LimitSpec.Gcra(Math.max(a.intervalMicros(), b.intervalMicros()), Math.min(a.burst(), b.burst()));
        }
        if (one instanceof LimitSpec.Pace a && other instanceof LimitSpec.Pace b) {
            return a.ceiling() <= b.ceiling() ? a : b;
        }
        return one.mostAtOnce() <= other.mostAtOnce() ? one : other;
    }

    /**
     * By what instances are ranked for a limit. All limits of one target by the target, so that who has a share of one that is
     * too small for everybody has a share of the others too.
     */
    static long key(Charge charge, long target) {
        return charge.scope().has(Per.TARGET) ? target : charge.hash();
    }

    static int part(int whole, int instances, int rank) {
        return whole / instances + (rank < whole % instances ? 1 : 0);
    }
}
