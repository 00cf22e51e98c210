package io.paceline.health;

import io.paceline.health.TallyRow.Count;

/** A {@link Count} in the making, outcome by outcome: it is made anew for every failure, so it allocates nothing. Mutable. */
final class Tried {
    int outcomes;
    int failures;

    void add(boolean failed) {
        outcomes++;
        failures += failed ? 1 : 0;
    }

    void addIf(boolean belongs, boolean failed) {
        if (belongs) {
            add(failed);
        }
    }

    Count count() {
        return new Count(outcomes, failures);
    }
}
