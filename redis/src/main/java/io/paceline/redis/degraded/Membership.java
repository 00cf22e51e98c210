package io.paceline.redis.degraded;

import io.paceline.Alarm;
import io.paceline.Ticker;
import io.paceline.redis.degraded.Beat.Standing;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One instance's place among those that share a store: it beats, hears who else does, and knows which store decides.
 *
 * <pre>
 *   SHARED      the shared store decides
 *      |  three calls in a row failed, or the store has lost what it knew
 *      v
 *   SILENT      nobody decides: the others must have seen that this instance is silent
 *      |  a second after the last beat that may count
 *      v
 *   ALONE       the local store decides, for this instance's slice
 *      |  the store answers a beat (and, where it had forgotten, everybody has told it his live leases)
 *      v
 *   RETURNING   nobody decides: what was granted alone is told; then a beat says "present", and it is SHARED again.
 *               If that fails it is SILENT or ALONE as before
 * </pre>
 *
 * <p>Why no address is let by two: an instance lets its slice go alone one second after the last beat of its that may count,
 * and the others leave that slice alone from three quarters of a second after the last one that did. Between the two, a call
 * that was decided before has long been done or given up. Slices of any two that know each other are disjoint
 * ({@link Rendezvous}), and nobody serves alone whom not all others know.
 *
 * <p>Thread-safe: changes of mode are made under a lock, which is never held while the store is called.
 */
final class Membership {
    static final long BEAT_MICROS = 250_000;
    /** A beat that arrives later than this does not count. */
    static final long BEAT_COUNTS_MICROS = 200_000;
    /** From the last beat that may count to the start alone. */
    static final long ALONE_AFTER_MICROS = 1_000_000;
    /** Who is not alone in the roster stops then: the others may take him for dead from half a minute later on. */
    static final long ALONE_FOR_MICROS = 300_000_000;
    /** When the shared store forgets an instance that is silent. */
    static final long FORGOTTEN_MICROS = 330_000_000;
    /**
     * So long the others are waited for before a store that was emptied decides again: who runs asks it once a second, and then
     * tells what he knows. Of who has not told by then nothing but his slice is respected.
     */
    static final long OTHERS_TELL_MICROS = 3_000_000;
    /** The longest window that is waited for before limits begin anew in a store that has forgotten them. */
    static final long LONGEST_WINDOW_MICROS = 60_000_000;

    /** Which store decides. */
    enum Mode {
        SHARED,
        SILENT,
        ALONE,
        RETURNING
    }

    private final SharedStore shared;
    private final Notebook notebook;
    private final Outbox outbox;
    private final Ticker ticker;
    private final Alarm alarm;
    private final RandomGenerator random;
    private final StoreState.Listener listener;
    private final Homecoming homecoming;
    private final long self;

    private final ReentrantLock lock = new ReentrantLock();
    /** Chains whose readers have been told everything since the store that decides last changed. */
    private final Set<Integer> current = ConcurrentHashMap.newKeySet();

    private volatile Mode mode = Mode.SHARED;
    private volatile @Nullable LocalStore local;
    private final AtomicInteger era = new AtomicInteger();
    private volatile Roster roster = Roster.EMPTY;
    private volatile StoreState state;
    /** Store time less the ticker's, as if the last beat's answer had been written when the beat was sent. */
    private volatile long aheadMicros;
    /** The same, as if it had been written when it arrived: the truth lies between. */
    private volatile long behindMicros;

    private volatile boolean closed;
    private volatile Breaker breaker = Breaker.CLOSED;
    private long sequence;
    private long counted;
    /** Store time up to which a beat that said "present" may have counted. */
    private long presentUntilMicros;

    private long cutOffMicros;
    private boolean beating;
    /** The store has lost what it knew, and this instance has not come back to it yet. */
    private boolean lost;
    /** When that was noticed. */
    private long foundEmptyMicros;
    /** The roster of before the loss, until everybody in it has been seen in the store again, or is forgotten. */
    private @Nullable Roster before;

    private boolean asserted;
    private boolean tellingOutcomes;

    Membership(
            SharedStore shared,
            Notebook notebook,
            Outbox outbox,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener) {
        this.shared = shared;
        this.notebook = notebook;
        this.outbox = outbox;
        this.ticker = ticker;
        this.alarm = alarm;
        this.random = random;
        this.listener = listener;
        this.self = random.nextLong();
        this.homecoming = new Homecoming(shared, notebook, outbox, this::storeMicros, random);
        this.state = new StoreState(false, ticker.micros(), "the shared store decides");
    }

    // ---- what others ask

    Mode mode() {
        return mode;
    }

    @Nullable
    LocalStore local() {
        return local;
    }

    /** Grows with each change of the store that decides. */
    int era() {
        return era.get();
    }

    StoreState state() {
        return state;
    }

    Roster roster() {
        return roster;
    }

    long self() {
        return self;
    }

    /** The shared store's time; if anything later than it is, so that others are left alone too soon. */
    private long aheadMicros() {
        return ticker.micros() + aheadMicros;
    }

    /** The shared store's time; if anything earlier than it is, so that leases end, and slices begin, too late. */
    long storeMicros() {
        return ticker.micros() + behindMicros;
    }

    /** The slices of others that the shared store must not lease from here; asked for each admission. */
    List<Roster.Slice> apart() {
        return roster.apart(self, aheadMicros());
    }

    /** What this instance would serve alone, among all that it knows; null where it knows nobody else. */
    Roster.@Nullable Slice ownSlice() {
        Roster known = roster;
        return known.members().size() < 2 ? null : known.slice(self);
    }

    boolean isCurrent(int chain) {
        return era.get() == 0 || current.contains(chain);
    }

    void caughtUp(int chain, int inEra) {
        if (inEra == era.get()) {
            current.add(chain);
        }
    }

    /** A call to the shared store has ended. */
    void answered(@Nullable Throwable failure) {
        if (failure == null && breaker.equals(Breaker.CLOSED)) {
            return;
        }
        lock.lock();
        try {
            if (mode != Mode.SHARED) {
                return;
            }
            breaker = failure == null ? Breaker.CLOSED : breaker.failed(ticker.micros(), random);
            if (!breaker.isClosed()) {
                cutOff("the shared store does not answer");
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- beats

    CompletionStage<Void> join() {
        return beat(Standing.PRESENT).thenAccept(beaten -> {
            heard(beaten);
            alarm.at(ticker.micros() + BEAT_MICROS, this::tick);
        });
    }

    void leave() {
        closed = true;
        CompletionStage<Beaten> ignored = beat(Standing.LEAVING);
    }

    private CompletionStage<Beaten> beat(Standing standing) {
        Beat beat;
        long sentMicros = ticker.micros();
        lock.lock();
        try {
            long validUntil = aheadMicros() + BEAT_COUNTS_MICROS;
            if (sequence == 0) {
                validUntil = Long.MAX_VALUE / 2; // nothing is known of the store's time yet
            } else if (standing == Standing.PRESENT) {
                presentUntilMicros = Math.max(presentUntilMicros, validUntil);
            }
            beat = new Beat(
                    self,
                    ++sequence,
                    validUntil,
                    roster.birth(),
                    roster.generation(),
                    notebook.longestLeaseMicros(),
                    standing);
        } finally {
            lock.unlock();
        }
        return shared.beat(beat).thenApply(beaten -> {
            learn(beat, beaten, sentMicros);
            return beaten;
        });
    }

    private void learn(Beat beat, Beaten beaten, long sentMicros) {
        lock.lock();
        try {
            aheadMicros = beaten.nowMicros() - sentMicros;
            behindMicros = beaten.nowMicros() - ticker.micros();
            if (beat.sequence() == 1) {
                presentUntilMicros = beaten.nowMicros();
            }
            boolean forgot = counted > 0 && (beaten.roster().birth() != roster.birth() || beaten.sequence() < counted);
            if (forgot) {
                before = roster;
                lost = true;
                foundEmptyMicros = beaten.nowMicros();
                asserted = false;
            }
            if (beaten.counted()) {
                counted = beat.sequence();
            }
            Roster answered = beaten.roster();
            Roster known = before == null ? answered : answered.with(before);
            roster = known.heardSince(beaten.nowMicros() - FORGOTTEN_MICROS);
            if (!lost && roster.members().stream().allMatch(member -> answered.knows(member.instance()))) {
                before = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Four times a second while the store answers, else when the breaker lets it. */
    private void tick() {
        if (closed) {
            return;
        }
        long now = ticker.micros();
        boolean send;
        lock.lock();
        try {
            beginAloneIfTime();
            endAloneIfTime();
            send = !beating && mode != Mode.RETURNING && (breaker.isClosed() || breaker.mayTry(now));
            beating |= send;
        } finally {
            lock.unlock();
        }
        if (send) {
            beat(standing()).whenComplete((beaten, failure) -> {
                lock.lock();
                try {
                    beating = false;
                    if (failure != null && mode != Mode.SHARED) {
                        breaker = breaker.failed(ticker.micros(), random);
                    }
                } finally {
                    lock.unlock();
                }
                if (failure == null) {
                    heard(beaten);
                } else {
                    answered(failure);
                }
            });
        }
        alarm.at(now + (mode == Mode.SHARED ? BEAT_MICROS : BEAT_MICROS / 2), this::tick);
    }

    private Standing standing() {
        if (mode == Mode.SHARED) {
            return Standing.PRESENT;
        }
        return asserted ? Standing.ALONE_AND_ASSERTED : Standing.ALONE;
    }

    private void heard(Beaten beaten) {
        Runnable next = () -> {};
        lock.lock();
        try {
            if (mode == Mode.SHARED) {
                if (lost) {
                    breaker = breaker.opened(ticker.micros(), random);
                    cutOff("the shared store has lost what it knew");
                } else {
                    breaker = Breaker.CLOSED;
                    next = apart().isEmpty() && !outbox.isEmpty() ? this::tellOutcomes : next;
                }
            } else if (mode != Mode.RETURNING) {
                next = comeBack(beaten);
            }
        } finally {
            lock.unlock();
        }
        next.run();
    }

    // ---- being cut off

    private void cutOff(String why) {
        mode = Mode.SILENT;
        cutOffMicros = storeMicros();
        tell(true, why + "; this instance goes on alone soon");
    }

    /** The lock is held. */
    private void beginAloneIfTime() {
        if (mode != Mode.SILENT || storeMicros() < presentUntilMicros + ALONE_AFTER_MICROS) {
            return;
        }
        Roster known = lost && before != null ? before : roster;
        if (!known.acknowledges(self)) {
            tell(true, "the shared store is away, and not all instances know of this one yet: it grants nothing");
            return;
        }
        if (aloneTooLong(known)) {
            return;
        }
        LocalStore again = local;
        if (again == null) {
            local = new LocalStore(notebook, outbox, known, self, this::storeMicros);
        } else {
            again.reopen(true);
        }
        begin(Mode.ALONE);
        tell(
                true,
                "the shared store is away: this instance serves its own slice, one of "
                        + known.members().size() + ", and its part of the limits");
    }

    private boolean aloneTooLong(Roster known) {
        return known.members().size() > 1 && storeMicros() > cutOffMicros + ALONE_FOR_MICROS;
    }

    private void endAloneIfTime() {
        LocalStore serving = local;
        if (mode == Mode.ALONE && serving != null && aloneTooLong(serving.roster())) {
            mode = Mode.SILENT;
            tell(true, "the shared store has been away for too long: others may use this instance's slice by now");
        }
    }

    private void begin(Mode next) {
        mode = next;
        era.incrementAndGet();
        current.clear();
    }

    private void tell(boolean degraded, String detail) {
        if (state.degraded() != degraded || !state.detail().equals(detail)) {
            state = new StoreState(degraded, ticker.micros(), detail);
            listener.changed(state);
        }
    }

    // ---- coming back

    /** The store answers. What to do about it, once the lock is free. */
    private Runnable comeBack(Beaten beaten) {
        breaker = new Breaker(breaker.failures(), 0, ticker.micros());
        if (!lost) {
            return returning(List.of());
        }
        LocalStore serving = local;
        if (mode != Mode.ALONE || serving == null) {
            if (othersHadTheirTime(beaten.nowMicros())) {
                lost = false;
                return returning(List.of());
            }
            return () -> {};
        }
        if (!asserted) {
            beating = true;
            return () -> homecoming.assertLive(serving).whenComplete(this::whenAsserted);
        }
        return everybodyHasAsserted(beaten) && limitsMayBeginAnew() ? returning(absent(beaten)) : () -> {};
    }

    private void whenAsserted(@Nullable Void done, @Nullable Throwable failure) {
        lock.lock();
        try {
            beating = false;
            asserted = failure == null;
            if (failure != null) {
                breaker = breaker.failed(ticker.micros(), random);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Or what the others held when this one was cut off has ended by itself, and they could have told their sessions. */
    private boolean everybodyHasAsserted(Beaten beaten) {
        Roster known = before;
        if (known == null || othersHadTheirTime(beaten.nowMicros())) {
            return true;
        }
        for (Roster.Member member : known.members()) {
            Roster.Member there = beaten.roster().member(member.instance());
            if (member.instance() != self && (there == null || there.standing() == Standing.ALONE)) {
                return false;
            }
        }
        return true;
    }

    /** The slices of those of before who have not come back to the store: nobody else tells how their addresses stand. */
    private List<Roster.Slice> absent(Beaten beaten) {
        Roster known = before;
        return known == null
                ? List.of()
                : known.members().stream()
                        .filter(member -> !beaten.roster().knows(member.instance()))
                        .map(member -> known.slice(member.instance()))
                        .toList();
    }

    private boolean othersHadTheirTime(long now) {
        return leasesOfBeforeAreOver(now) && now > foundEmptyMicros + OTHERS_TELL_MICROS;
    }

    private boolean leasesOfBeforeAreOver(long now) {
        long longest = Math.max(notebook.longestLeaseMicros(), before == null ? 0 : before.longestLeaseMicros());
        return now > cutOffMicros + ALONE_AFTER_MICROS + longest;
    }

    private boolean limitsMayBeginAnew() {
        long window = Math.min(LONGEST_WINDOW_MICROS, notebook.longestWindowMicros());
        return storeMicros() > cutOffMicros + window;
    }

    /** @param absent slices of which this instance tells, too, how the addresses stand */
    private Runnable returning(List<Roster.Slice> absent) {
        Mode from = mode;
        LocalStore serving = local;
        boolean emptied = lost;
        mode = Mode.RETURNING;
        return () -> homecoming
                .tell(serving, emptied, absent)
                .thenApply(done -> true)
                .exceptionally(failure -> false)
                .thenCompose(told -> told ? beat(Standing.PRESENT).thenApply(Beaten::counted) : stays())
                .exceptionally(failure -> null)
                .thenAccept(present -> whenReturned(from, serving, present));
    }

    private static CompletionStage<@Nullable Boolean> stays() {
        return CompletableFuture.completedStage(false);
    }

    /** @param present whether the store counts this instance present; null where that is unknown */
    private void whenReturned(Mode from, @Nullable LocalStore serving, @Nullable Boolean present) {
        lock.lock();
        try {
            if (Boolean.TRUE.equals(present)) {
                local = null;
                lost = false;
                asserted = false;
                breaker = Breaker.CLOSED;
                notebook.untold.clear();
                begin(Mode.SHARED);
                tell(false, "the shared store decides");
            } else {
                breaker = breaker.failed(ticker.micros(), random);
                // Where it may have been seen present, it must be seen silent again first.
                mode = present == null ? Mode.SILENT : from;
                if (mode == Mode.ALONE && serving != null) {
                    serving.reopen(false);
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        tellOutcomes();
    }

    private void tellOutcomes() {
        lock.lock();
        try {
            if (tellingOutcomes) {
                return;
            }
            tellingOutcomes = true;
        } finally {
            lock.unlock();
        }
        homecoming.tellOutcomes().whenComplete((done, failure) -> {
            lock.lock();
            try {
                tellingOutcomes = false;
            } finally {
                lock.unlock();
            }
        });
    }
}
