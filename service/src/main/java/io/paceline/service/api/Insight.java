package io.paceline.service.api;

import io.paceline.Inspection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A look into the gatekeeper for who asks why. Thread-safe; nothing blocks. */
public interface Insight {

    /** The address in every pool that has it; empty where none does. */
    CompletionStage<List<Inspection>> address(String id);

    /**
     * Where a session lives; empty where it does not. The pool null means the first of the configuration.
     *
     * @throws IllegalArgumentException where there is no such pool
     */
    CompletionStage<Optional<Inspection.Binding>> session(String tenant, @Nullable String pool, String key);
}
