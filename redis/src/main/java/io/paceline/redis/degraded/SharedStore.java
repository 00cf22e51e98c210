package io.paceline.redis.degraded;

import io.paceline.store.StateStore;
import java.util.concurrent.CompletionStage;

/** A store that several instances share, and in which they see each other live. */
public interface SharedStore extends StateStore {

    /** Leaves a sign of life; everybody's signs, and whether the store is still the one it was. */
    CompletionStage<Beaten> beat(Beat beat);
}
