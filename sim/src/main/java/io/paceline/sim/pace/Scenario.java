package io.paceline.sim.pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One hidden limit and what becomes of it.
 *
 * @param perSecond the limit at first
 * @param factor what it is multiplied with at {@link #CHANGE_MICROS}; 1 where it stays
 */
record Scenario(double perSecond, double factor) {
    static final long MINUTE = 60_000_000;
    /** Until then everybody learns; steady scenarios are judged from here on. */
    static final long CHANGE_MICROS = 60 * MINUTE;

    private static final double[] LIMITS = {0.2, 2, 20};
    private static final double[] FACTORS = {1, 0.5, 1.3, 2, 10};

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (double limit : LIMITS) {
            for (double factor : FACTORS) {
                all.add(new Scenario(limit, factor));
            }
        }
        return all;
    }

    boolean steady() {
        return factor == 1;
    }

    String name() {
        String limit = text(perSecond);
        return steady() ? "steady-" + limit : "limit-" + limit + "-x" + text(factor);
    }

    private static String text(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : String.format(Locale.ROOT, "%.1f", number);
    }

    String story() {
        return steady()
                ? text(perSecond) + " requests a second are borne"
                : text(perSecond) + " requests a second are borne, after an hour " + text(factor) + " times as many";
    }

    /** Three hours of steady work, or 40 minutes after the change. */
    long endMicros() {
        return CHANGE_MICROS + (steady() ? 180 : 40) * MINUTE;
    }

    double rateAt(long micros) {
        return micros < CHANGE_MICROS ? perSecond : perSecond * factor;
    }
}
