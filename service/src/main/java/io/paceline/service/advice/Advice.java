package io.paceline.service.advice;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * One thing that a run suggests.
 *
 * @param kind a snake_case word for machines
 * @param about the rule, site, pool or reason that it speaks of
 * @param says for a person, with the figures in it and what to do
 * @param figures the same figures by name
 * @param share how much of the run it concerns, 0 to 1: what comes first
 */
public record Advice(String kind, String about, String says, Map<String, Double> figures, double share) {
    public Advice {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(about, "about");
        Objects.requireNonNull(says, "says");
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
