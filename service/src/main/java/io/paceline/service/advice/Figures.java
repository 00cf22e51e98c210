package io.paceline.service.advice;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Figures of an advice as they are collected, and how they are said. */
final class Figures {
    private final Map<String, Double> byName = new LinkedHashMap<>();

    Figures put(String name, double value) {
        byName.put(name, Math.rint(value * 10_000) / 10_000);
        return this;
    }

    Figures put(String name, long count) {
        byName.put(name, (double) count);
        return this;
    }

    Map<String, Double> all() {
        return byName;
    }

    static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    /** {@code 12.3 %}. */
    static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share(part, whole));
    }

    /** {@code 1,234}. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%.0f s", seconds);
    }
}
