package io.paceline.service.advice;

import io.paceline.Outcome.Kind;

/** How one address of a pool did. */
final class AddressWatch {
    private long tries;
    private long successes;

    /** Only what says something of the way is a try. */
    void ended(Kind kind) {
        if (kind == Kind.SUCCESS) {
            successes++;
        }
        if (kind != Kind.CANCELED && kind != Kind.RATE_LIMITED && kind != Kind.TARGET_ERROR && kind != Kind.NEUTRAL) {
            tries++;
        }
    }

    long tries() {
        return tries;
    }

    long successes() {
        return successes;
    }
}
