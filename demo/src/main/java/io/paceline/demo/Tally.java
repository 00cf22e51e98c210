package io.paceline.demo;

import java.util.concurrent.atomic.LongAdder;

/** What the workers of one run have done so far. Thread-safe. */
final class Tally {
    private final LongAdder wanted = new LongAdder();
    private final LongAdder got = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder renewed = new LongAdder();

    void wanted() {
        wanted.increment();
    }

    void tried(Answer answer) {
        if (answer.sent()) {
            sent.increment();
        }
        if (answer == Answer.PAGE) {
            got.increment();
        }
    }

    void sessionRenewed() {
        renewed.increment();
    }

    /** Pages that were begun. */
    long pagesWanted() {
        return wanted.sum();
    }

    long pagesGot() {
        return got.sum();
    }

    /** Requests that left. */
    long requests() {
        return sent.sum();
    }

    long sessionsRenewed() {
        return renewed.sum();
    }
}
