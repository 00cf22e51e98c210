package io.paceline.redis.degraded;

import io.paceline.Alarm;
import io.paceline.Ticker;
import io.paceline.redis.degraded.Beat.Standing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One instance among those that divide the work: it beats four times a second, hears who else does, and knows what it may
 * use ({@link Holdings}).
 *
 * <p>While the roster does not answer, an instance goes on with what it has, for five minutes at most where there are others:
 * half a minute later the store forgets it, and they take its slice. It counts from the beat that it sent last of those that
 * were answered, by its own clock, and looks at each use: one that was stopped for an hour uses nothing when it wakes.
 *
 * <p>Thread-safe. What it may use changes under a lock that is held, too, while something is granted: whoever has told the
 * others that it has learned of a team has granted nothing by an older one since.
 */
final class Attendance {
    static final long SHORTEST_REST_MICROS = 1_000_000;
    /** A start is held up no longer than this for the sake of having a part at once. */
    private static final long JOINED_WITHIN_MICROS = 2_500_000;

    private static final int FAILURES_TOLD = 3;

    /** Hears of each answered beat. */
    interface AfterBeat {
        /** @param forgot the store has lost what it knew since the beat before */
        void answered(boolean forgot);
    }

    private final SharedStore shared;
    private final Division division;
    private final long restMicros;
    private final Ticker ticker;
    private final Alarm alarm;
    private final StoreState.Listener listener;
    private final Runnable onChange;
    private final AfterBeat afterBeat;
    private final Object lock;
    private final long self;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    /** The longest that anything matters that was granted, by anybody, as far as is known. */
    private final AtomicLong longest = new AtomicLong();

    private volatile Holdings holdings;
    private volatile Roster roster = Roster.EMPTY;
    private volatile StoreState state;
    private volatile long answeredBeatMicros;
    private volatile boolean closed;
    /** Whom it knew before the store lost its roster, until everybody has been seen in it again, or is forgotten. */
    private @Nullable Roster before;

    private long forgetBeforeAtMicros;
    private long sequence;
    private long counted;
    private boolean beating;
    private int failures;

    /**
     * @param restMicros how long anything may matter that somebody granted who has left since
     * @param lock held while something is granted
     * @param onChange runs after a change of what may be used, with the lock
     * @param afterBeat runs after each answered beat, without it
     */
    Attendance(
            SharedStore shared,
            Division division,
            long restMicros,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener,
            Object lock,
            Runnable onChange,
            AfterBeat afterBeat) {
        this.shared = shared;
        this.division = division;
        this.restMicros = restMicros;
        this.ticker = ticker;
        this.alarm = alarm;
        this.listener = listener;
        this.lock = lock;
        this.onChange = onChange;
        this.afterBeat = afterBeat;
        this.self = random.nextLong();
        this.holdings = Holdings.none(self);
        this.state = new StoreState(false, ticker.micros(), "division " + division.word());
    }

    // ---- what others ask

    long self() {
        return self;
    }

    Division division() {
        return division;
    }

    /** What may be used now. */
    Holdings holdings() {
        Holdings now = holdings;
        boolean lapsed = now.serves()
                && roster.members().size() > 1
                && ticker.micros() - answeredBeatMicros > Membership.ALONE_FOR_MICROS;
        return closed || lapsed ? Holdings.none(self) : now;
    }

    Roster roster() {
        return roster;
    }

    StoreState state() {
        return state;
    }

    /** Something was granted that matters for so long. */
    void granted(long micros) {
        if (micros > longest.get()) {
            longest.accumulateAndGet(micros, Math::max);
        }
    }

    // ---- beats

    /**
     * Done once this instance has its part, or has to wait for it longer than a start should take. Fails where the store does
     * not answer, or where others divide it in another way.
     */
    CompletionStage<Void> join() {
        return beat().thenCompose(beaten -> {
            division.checkAlike(beaten.roster());
            alarm.at(ticker.micros() + Membership.BEAT_MICROS, this::tick);
            alarm.at(ticker.micros() + JOINED_WITHIN_MICROS, () -> joined.complete(null));
            return joined;
        });
    }

    void leave() {
        closed = true;
        CompletionStage<Beaten> ignored = shared.beat(beatOf(Standing.LEAVING));
    }

    private Beat beatOf(Standing standing) {
        synchronized (lock) {
            // What it acknowledges stays true however late the beat arrives.
            long knows = before == null ? roster.generation() : 0;
            return new Beat(self, ++sequence, Long.MAX_VALUE / 2, roster.birth(), knows, longest.get(), standing);
        }
    }

    private CompletionStage<Beaten> beat() {
        long sentMicros = ticker.micros();
        Beat beat = beatOf(division.standing());
        return shared.beat(beat).thenApply(beaten -> {
            afterBeat.answered(learn(beat, beaten, sentMicros));
            return beaten;
        });
    }

    private void tick() {
        if (closed) {
            return;
        }
        alarm.at(ticker.micros() + Membership.BEAT_MICROS, this::tick);
        synchronized (lock) {
            if (beating) {
                return;
            }
            beating = true;
        }
        beat().whenComplete((beaten, failure) -> {
            synchronized (lock) {
                beating = false;
                failures = failure == null ? 0 : failures + 1;
            }
            tell();
        });
    }

    /** @return whether the store has lost what it knew */
    private boolean learn(Beat beat, Beaten beaten, long sentMicros) {
        synchronized (lock) {
            long now = ticker.micros();
            Holdings old = holdings();
            Roster answer = beaten.roster();
            boolean forgot = counted > 0 && (answer.birth() != roster.birth() || beaten.sequence() < counted);
            if (forgot) {
                before = before == null ? roster : roster.with(before);
                forgetBeforeAtMicros = now + Membership.FORGOTTEN_MICROS;
            }
            counted = beat.sequence();
            answeredBeatMicros = sentMicros;
            roster = answer;
            longest.accumulateAndGet(answer.longestLeaseMicros(), Math::max);
            if (before != null && (now > forgetBeforeAtMicros || allSeenAgain(before))) {
                before = null;
            }
            if (before == null) {
                holdings = old.learned(Team.of(division, answer), agreed(), rest(), now);
            }
            if (!holdings.dividesLike(old)) {
                onChange.run();
            }
            return forgot;
        }
    }

    private boolean allSeenAgain(Roster known) {
        return known.members().stream().allMatch(member -> roster.knows(member.instance()));
    }

    private boolean agreed() {
        return roster.knows(self)
                && roster.members().stream().allMatch(member -> member.knows() >= roster.generation());
    }

    /** Each who came or went makes a generation: where there are as many as members, nobody has ever gone. */
    private long rest() {
        boolean somebodyWasBefore = roster.generation() != roster.members().size();
        return Math.max(SHORTEST_REST_MICROS, Math.max(longest.get(), somebodyWasBefore ? restMicros : 0));
    }

    // ---- for people

    private void tell() {
        Holdings now = holdings();
        int size = roster.members().size();
        String detail;
        boolean away = failures >= FAILURES_TOLD;
        if (away && now.serves()) {
            detail = "the roster is away: this instance goes on with its part, and begins no sessions";
        } else if (away) {
            detail = "the roster has been away for too long: others may use this instance's part by now";
        } else if (!now.serves()) {
            detail = "this instance waits for its part, one of " + size
                    + ", until all have learned of it and what was granted before is over";
        } else {
            detail = "this instance has its part, one of " + size
                    + (now.quiet() ? "" : "; what moves rests until all have learned of it");
        }
        if (now.serves()) {
            joined.complete(null);
        }
        // That a fresh instance has no part yet is nothing to be alarmed at, until its start has waited for it in vain.
        boolean degraded = away || (!now.serves() && joined.isDone());
        if (state.degraded() != degraded || !state.detail().equals(detail)) {
            state = new StoreState(degraded, ticker.micros(), detail);
            listener.changed(state);
        }
    }
}
