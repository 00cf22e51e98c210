package io.paceline.service.metrics;

import java.util.concurrent.CompletionStage;

/** Tells what runs. Thread-safe; nothing blocks. */
@FunctionalInterface
public interface StatusSource {

    CompletionStage<Status> status();
}
