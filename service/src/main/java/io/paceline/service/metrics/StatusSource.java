package io.paceline.service.metrics;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Tells what runs. Thread-safe; nothing blocks. */
@FunctionalInterface
public interface StatusSource {

    CompletionStage<Status> status();

    /** Requests that are held up at the moment, by the rule that holds them. */
    default Map<String, Integer> waitingByRule() {
        return Map.of();
    }
}
