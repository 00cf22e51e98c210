package io.paceline;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How many requests are held up at the moment, by the rule that holds them. Thread-safe. */
final class Waiters {
    /** Stands for a rule where the wait is for an address. */
    static final String NO_RULE = "none";

    /** As many entries as rules that ever made somebody wait. */
    private final Map<String, AtomicInteger> byRule = new ConcurrentHashMap<>();

    private final AtomicInteger total = new AtomicInteger();

    /** One request stops waiting for the first and begins to wait for the second; null for not waiting. */
    void move(@Nullable String from, @Nullable String to) {
        if (from != null) {
            add(from, -1);
        }
        if (to != null) {
            add(to, 1);
        }
    }

    private void add(String rule, int more) {
        byRule.computeIfAbsent(rule, absent -> new AtomicInteger()).addAndGet(more);
        total.addAndGet(more);
    }

    int total() {
        return total.get();
    }

    Map<String, Integer> byRule() {
        Map<String, Integer> now = new TreeMap<>();
        byRule.forEach((rule, count) -> now.put(rule, count.get()));
        return now;
    }
}
