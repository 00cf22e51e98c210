package io.paceline;

import io.paceline.store.Changes;
import io.paceline.store.StateStore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Where one instance is in the changes of a chain, and how it comes to hear of more: asked at each tick, and soon after an
 * announcement. However many announcements come within {@link #SPACING_MICROS}, they cost one question.
 *
 * <p>Thread-safe. Nothing depends on announcements but how soon the view learns.
 */
final class ChangeFeed {
    /** Between two questions that announcements have led to: what a storm of them costs at most, and how late one may come. */
    static final long SPACING_MICROS = 20_000;

    private static final int CHANGES_A_TIME = 1_024;

    private final int chain;
    private final AtomicBoolean announced = new AtomicBoolean();
    /** When the last question that an announcement has led to was, or will be, asked. */
    private volatile long askedMicros = Long.MIN_VALUE / 2;

    private volatile long version;

    ChangeFeed(int chain) {
        this.chain = chain;
    }

    /** Asks what has changed since the last time and passes it on. */
    void read(StateStore store, Consumer<Changes> reader, Consumer<Throwable> failed) {
        store.changes(chain, version, CHANGES_A_TIME).whenComplete((changes, failure) -> {
            if (failure != null) {
                failed.accept(failure);
            } else {
                version = changes.version();
                reader.accept(changes);
            }
        });
    }

    /** Somebody may have changed something: the question is asked now, or as soon as it may be asked again. */
    void announced(Ticker ticker, Alarm alarm, Runnable question) {
        if (announced.compareAndSet(false, true)) {
            askedMicros = Math.max(ticker.micros(), askedMicros + SPACING_MICROS);
            alarm.at(askedMicros, () -> {
                announced.set(false); // what is announced from here on may have come too late for this question
                question.run();
            });
        }
    }
}
