package io.paceline.pace.robots;

import java.util.Comparator;

/**
 * One {@code Allow} or {@code Disallow} line.
 *
 * <p>A pattern is a prefix of the path and query; {@code *} in it stands for any octets, {@code $} at its end for the end.
 *
 * @param allow whether it allows
 * @param pattern in the form of {@link Octets}
 * @param line its number in the file, from 1
 * @param text the line as written, cut to what can be shown
 */
record RobotsRule(boolean allow, String pattern, int line, String text) {
    /** The longest pattern decides; of two that are equally long, the one that allows (section 2.2.2). */
    static final Comparator<RobotsRule> DECIDING_FIRST = Comparator.comparingInt(
                    (RobotsRule rule) -> -rule.pattern.length())
            .thenComparing(rule -> !rule.allow)
            .thenComparingInt(RobotsRule::line);

    /**
     * Whether the rule speaks of the path, which is in the form of {@link Octets}. Each part between stars is taken where it
     * comes first: if a later place would do, the first does too, so nothing is ever tried twice.
     */
    boolean covers(String path) {
        boolean anchored = pattern.endsWith("$");
        int end = pattern.length() - (anchored ? 1 : 0);
        int star = star(0, end);
        if (!path.startsWith(pattern.substring(0, star))) {
            return false;
        }
        int at = star;
        while (star < end) {
            int next = star(star + 1, end);
            String part = pattern.substring(star + 1, next);
            if (anchored && next == end) {
                return path.length() - part.length() >= at && path.endsWith(part);
            }
            int found = path.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
            star = next;
        }
        return !anchored || at == path.length();
    }

    private int star(int from, int end) {
        int star = pattern.indexOf('*', from);
        return star < 0 || star > end ? end : star;
    }
}
