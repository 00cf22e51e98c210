package io.paceline.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** How many of the latest requests succeeded. Thread-safe. */
final class Recent {
    private static final long LATELY_NANOS = 3_000_000_000L;

    private final Deque<Tried> tried = new ArrayDeque<>();

    private record Tried(long nanos, boolean page) {}

    synchronized void add(boolean page, long nowNanos) {
        tried.addLast(new Tried(nowNanos, page));
    }

    /** {@code  97 %}, of those of the last 3 s; {@code    -} where there was none. */
    synchronized String rate(long nowNanos) {
        while (!tried.isEmpty() && nowNanos - tried.getFirst().nanos > LATELY_NANOS) {
            tried.removeFirst();
        }
        if (tried.isEmpty()) {
            return "    -";
        }
        long pages = tried.stream().filter(Tried::page).count();
        return String.format(Locale.ROOT, "%3d %%", 100 * pages / tried.size());
    }
}
