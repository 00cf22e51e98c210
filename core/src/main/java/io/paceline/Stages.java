package io.paceline;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are there already: the embedded store's always are, and for them a chain of stages costs more than the
 * decision itself.
 */
final class Stages {
    private Stages() {}

    /** What the stage has completed with; null where it has not yet, or has failed. */
    static <T> @Nullable T known(CompletionStage<T> stage) {
        return stage instanceof CompletableFuture<T> future && !future.isCompletedExceptionally()
                ? future.getNow(null)
                : null;
    }
}
