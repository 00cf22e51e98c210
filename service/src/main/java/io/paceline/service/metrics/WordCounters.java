package io.paceline.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One counter for each value of one label, found by one look-up. Values are the configuration's and the code's own words,
 * yet a reload may bring new ones: past a bound they share {@code other}. Thread-safe.
 */
final class WordCounters {

    private static final int MAX_WORDS = 500;

    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final String label;
    private final String[] fixed;
    private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

    /** @param fixed further labels and their values, in turn */
    WordCounters(MeterRegistry registry, String name, String description, String label, String... fixed) {
        this.fixed = fixed.clone();
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.label = label;
    }

    void increment(String word) {
        increment(word, 1);
    }

    void increment(String word, int by) {
        Counter counter = counters.get(word);
        if (counter == null) {
            String bounded = counters.size() < MAX_WORDS ? word : BoundedLabels.OTHER;
            counter = counters.computeIfAbsent(bounded, this::register);
        }
        counter.increment(by);
    }

    private Counter register(String word) {
        return Counter.builder(name)
                .description(description)
                .tag(label, word)
                .tags(fixed)
                .register(registry);
    }
}
