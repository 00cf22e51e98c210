package io.paceline.demo.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** That permits are given, and by whom last. Thread-safe. */
final class Pulse {
    private final Map<String, Long> last = new ConcurrentHashMap<>();
    private final LongAdder permits = new LongAdder();

    void permit(String instance, long micros) {
        last.put(instance, micros);
        permits.increment();
    }

    boolean permitSince(String instance, long micros) {
        return last.getOrDefault(instance, -1L) >= micros;
    }

    long permits() {
        return permits.sum();
    }
}
