package io.paceline.sim.pool;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pool.PoolSettings;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.LongMap;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.PaceShift;
import io.paceline.store.PaceShifted;
import io.paceline.store.ProbeClaim;
import io.paceline.store.SessionClaim;
import io.paceline.store.SessionPage;
import io.paceline.store.SessionRow;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Settlement.Evidence;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.SlotRows;
import io.paceline.store.StateStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the store and keeps books of its own: after every step what must never be (DESIGN 5) is held against them.
 *
 * <p>It sees the steps in the order in which the store takes them, whatever a network does before it, and believes nothing
 * but grants, ends and shifts. Each check costs the same however long the run is. One pool, one thread, an inner store that
 * answers at once.
 */
final class Auditor implements StateStore {
    /** The first few say what is wrong; a bug that fires at every step must not fill the memory. */
    private static final int MOST_KEPT = 20;

    /** Who waits looks again now and then, so what has become free is noticed within this time. */
    private static final long NOTICED_MICROS = 1_000_000;

    private static final Standing FRESH = Standing.fresh(0, 0);

    private StateStore inner;
    private final PoolSettings settings;
    private final Ticker ticker;
    private final Map<Long, Bound> sessions = new HashMap<>();
    private final Map<Long, Starts> startsOf = new HashMap<>();
    private final Map<Long, Reserved> tickets = new HashMap<>();
    private final List<Seat> seats = new ArrayList<>();
    private final LongMap<Standing> cells = new LongMap<>();
    /** By target, the slots whose cell is out. */
    private final Map<Long, Map<Integer, Boolean>> cellsOut = new HashMap<>();

    /** Neither dead nor held by people: the members over which cap and floor are counted. */
    private int members;

    private int out;
    private final List<String> violations = new ArrayList<>();
    private int more;
    private int moves;

    private static final class Seat {
        /** Whose slot it is. */
        long owner;

        boolean present;
        Standing standing = Standing.fresh(0, 0);
        /** When a lease on it ended last, or it or one of its cells changed its standing. */
        long changedMicros;
        /** Leases that have not been settled; some of them may be past their end. */
        final List<Held> held = new ArrayList<>(0);

        int live() {
            return held.size();
        }

        int liveOn(long target) {
            int live = 0;
            for (int i = 0; i < held.size(); i++) {
                live += held.get(i).target == target ? 1 : 0;
            }
            return live;
        }
    }

    private static final class Held {
        final long id;
        final long target;
        final long endMicros;
        final long startMicros;
        final List<Charge> charges;
        final @Nullable Bound session;

        Held(long id, long target, long endMicros, long startMicros, List<Charge> charges, @Nullable Bound session) {
            this.id = id;
            this.target = target;
            this.endMicros = endMicros;
            this.startMicros = startMicros;
            this.charges = charges;
            this.session = session;
        }
    }

    private static final class Bound {
        long owner;
        int slot;
        long endMicros;
        int live;
        boolean confirmed;
        boolean repinned;
    }

    private record Reserved(long startMicros, List<Charge> charges) {}

    Auditor(StateStore inner, PoolSettings settings, Ticker ticker) {
        this.inner = inner;
        this.settings = settings;
        this.ticker = ticker;
    }

    /** From now on another store answers, which must know all that the one before knew. */
    void goesOnWith(StateStore other) {
        inner = other;
    }

    List<String> violations() {
        if (more == 0) {
            return violations;
        }
        List<String> all = new ArrayList<>(violations);
        all.add("and " + more + " more");
        return all;
    }

    void report(String violation) {
        if (violations.size() < MOST_KEPT) {
            violations.add(String.format(
                    java.util.Locale.ROOT, "%.3fs: %s", Time.seconds(ticker.micros() - Time.START), violation));
        } else {
            more++;
        }
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    // ---- leases

    @Override
    public CompletionStage<Admitted> admit(Admission admission) {
        CompletionStage<Admitted> stage = inner.admit(admission);
        Admitted admitted = answer(stage);
        if (admitted instanceof Admitted.Granted granted) {
            for (int i = 0; i < granted.grants().size(); i++) {
                Admitted.Grant grant = granted.grants().get(i);
                Seat seat = current(grant.slot(), granted.nowMicros());
                if (find(seat, grant.leaseId()) == null) {
                    granted(admission, grant, seat, granted.nowMicros());
                }
            }
        } else if (admitted instanceof Admitted.Reserved reserved && !tickets.containsKey(reserved.ticket())) {
            tickets.put(reserved.ticket(), new Reserved(reserved.atMicros(), admission.charges()));
            charge(admission.charges(), reserved.atMicros());
        }
        return stage;
    }

    private void granted(Admission admission, Admitted.Grant grant, Seat seat, long now) {
        Reserved paid = admission.ticket() == 0 ? null : tickets.remove(admission.ticket());
        if (paid == null) {
            charge(admission.charges(), now);
        }
        Bound session = admission.session() == null ? null : bound(admission, admission.session(), grant, now);
        long start = paid == null ? now : paid.startMicros();
        Held held = new Held(
                grant.leaseId(), admission.target(), grant.expiresAtMicros(), start, admission.charges(), session);
        seat.held.add(held);
        int onCell = seat.liveOn(admission.target());
        checkCaps(grant.slot(), seat, onCell);
        checkService(admission, grant.slot(), seat, onCell, session != null && (session.confirmed || session.live > 1));
    }

    private void checkCaps(int slot, Seat seat, int onCell) {
        if (seat.live() > settings.maxLeases()) {
            report(seat.live() + " leases on slot " + slot + ", its cap is " + settings.maxLeases());
        }
        if (onCell > settings.maxLeasesPerTarget()) {
            report(onCell + " leases on a cell of slot " + slot + ", its cap is " + settings.maxLeasesPerTarget());
        }
    }

    /** @param bound the lease follows a session to the address that it has already: who drains serves it on */
    private void checkService(Admission admission, int slot, Seat seat, int onCell, boolean bound) {
        Standing cell = known(cell(slot, admission.target()));
        boolean cellServes = cell.inService();
        if (!seat.present) {
            report("a lease on slot " + slot + ", which is empty");
        } else if (admission.purpose() == Purpose.SERVE) {
            boolean serves = bound
                    ? seat.standing.servesSessions() && cell.servesSessions()
                    : seat.standing.inService() && cellServes;
            if (!serves) {
                report("a lease on slot " + slot + ", which is out");
            }
        } else if (admission.purpose() == Purpose.PANIC) {
            boolean beyond = !seat.standing.counts() || !cell.counts();
            if (beyond
                    || (seat.standing.inService() && cellServes)
                    || !settings.quarantine().panic()) {
                report("a panic lease on slot " + slot + ", which serves, is dead or held, or without panic");
            }
        } else {
            boolean testsAddress = seat.standing.halfOpen() && seat.live() == 1 && cellServes;
            boolean testsCell = cell.halfOpen() && onCell == 1 && seat.standing.inService();
            if (!testsAddress && !testsCell) {
                report("a probe on slot " + slot + " that is not the only lease on something half-open");
            }
        }
    }

    /** A binding that a request has reached, or may be about to, holds until its time is over. */
    private Bound bound(Admission admission, SessionClaim claim, Admitted.Grant grant, long now) {
        Bound bound = sessions.computeIfAbsent(claim.key(), key -> new Bound());
        current(bound.slot, now);
        boolean holds = now < bound.endMicros && (bound.confirmed || bound.live > 0);
        long owner = seats.get(grant.slot()).owner;
        boolean moves = holds && bound.owner != owner;
        if (moves) {
            checkMove(admission, claim, bound, grant, now);
        }
        if (!holds || moves) {
            long endMicros = bound.endMicros;
            bound = new Bound();
            bound.owner = owner;
            bound.slot = grant.slot();
            bound.endMicros = moves ? endMicros : now + claim.ttlMicros();
            sessions.put(claim.key(), bound);
        }
        if (claim.sliding()) {
            bound.endMicros = now + claim.ttlMicros();
        }
        bound.live++;
        return bound;
    }

    /** A session leaves an address that is lost, or that it was told to leave, after its last lease there; and is told. */
    private void checkMove(Admission admission, SessionClaim claim, Bound bound, Admitted.Grant grant, long now) {
        String session = "session " + Long.toHexString(claim.key());
        boolean lost = claim.onAddressDeath() == OnAddressDeath.MIGRATE && lost(bound, claim, admission.target(), now);
        if (!lost && !bound.repinned) {
            report(session + " moved to another address, on slot " + grant.slot());
        } else if (bound.live > 0) {
            report(session + " moved with " + bound.live + " leases on its old address");
        } else if (!grant.migrated()) {
            report(session + " moved and was not told");
        }
        moves++;
    }

    private boolean lost(Bound bound, SessionClaim claim, long target, long now) {
        Seat seat = seats.get(bound.slot);
        Standing cell = cells.get(cell(bound.slot, target));
        return !seat.present
                || seat.owner != bound.owner
                || outTooLong(seat.standing, claim, now)
                || (cell != null && outTooLong(cell, claim, now));
    }

    private static boolean outTooLong(Standing standing, SessionClaim claim, long now) {
        return !standing.inService() && now - standing.outSinceMicros() > claim.lostAfterOutMicros();
    }

    /** Sessions that went on at another address. */
    int moves() {
        return moves;
    }

    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        CompletionStage<Settled> stage = inner.settle(settlement);
        Settled settled = answer(stage);
        if (settled.result() == SettleResult.RELEASED) {
            Seat seat = seatOf(settlement.lease(), settled.nowMicros());
            Held held = seat == null ? null : find(seat, settlement.lease().value());
            if (seat == null || held == null) {
                report("lease " + settlement.lease().value() + " ended twice, or never began");
            } else {
                end(seat, held, settlement.reached(), settled.nowMicros());
                if (settlement.refund()) {
                    refund(held.charges, held.startMicros);
                }
            }
        }
        return stage;
    }

    /** The seat of a lease; whoever gives one back without having had the answer does not know its slot. */
    private @Nullable Seat seatOf(LeaseId lease, long now) {
        if (lease.slot() >= 0) {
            return current(lease.slot(), now);
        }
        for (int slot = 0; slot < seats.size(); slot++) {
            if (find(current(slot, now), lease.value()) != null) {
                return seats.get(slot);
            }
        }
        return null;
    }

    private static @Nullable Held find(Seat seat, long lease) {
        for (int i = 0; i < seat.held.size(); i++) {
            if (seat.held.get(i).id == lease) {
                return seat.held.get(i);
            }
        }
        return null;
    }

    /** The seat as it is now: leases past their end have ended by themselves. */
    private Seat current(int slot, long now) {
        Seat seat = seats.get(slot);
        for (int i = seat.held.size() - 1; i >= 0; i--) {
            Held held = seat.held.get(i);
            if (held.endMicros <= now) {
                end(seat, held, true, held.endMicros);
            }
        }
        return seat;
    }

    private static void end(Seat seat, Held held, boolean reached, long at) {
        seat.held.remove(held);
        seat.changedMicros = Math.max(seat.changedMicros, at);
        if (held.session != null) {
            held.session.live--;
            held.session.confirmed |= reached;
        }
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        throw new UnsupportedOperationException("no scenario renews a lease: its end would be out of order");
    }

    // ---- limits

    private void charge(List<Charge> charges, long at) {
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            // The bucket of an address is known to the store alone; its bound is held by a test of its own.
            if (charge.spec() instanceof LimitSpec.Window window
                    && !charge.dryRun()
                    && !charge.scope().perAddress()) {
                Starts starts = startsOf.computeIfAbsent(
                        charge.hash(), key -> new Starts(window.limit(), window.windowMicros()));
                if (!starts.add(at)) {
                    report("more than " + window.limit() + " starts by rule " + charge.rule() + " within its window");
                }
            }
        }
    }

    private void refund(List<Charge> charges, long at) {
        for (Charge charge : charges) {
            Starts starts = startsOf.get(charge.hash());
            if (starts != null) {
                starts.remove(at);
            }
        }
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        CompletionStage<Boolean> stage = inner.giveBack(ticket);
        Reserved reserved = answer(stage) ? tickets.remove(ticket) : null;
        if (reserved != null) {
            refund(reserved.charges(), reserved.startMicros());
        }
        return stage;
    }

    // ---- standings

    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        CompletionStage<Shifted> stage = inner.shift(shift);
        if (answer(stage) instanceof Shifted.Applied) {
            applied(shift);
        }
        return stage;
    }

    /** Pauses put nobody out: there is nothing to check but what admissions show. */
    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        return inner.shiftPace(shift);
    }

    private void applied(Shift shift) {
        Seat seat = seats.get(shift.slot());
        seat.changedMicros = ticker.micros();
        long key = cell(shift.slot(), shift.target());
        Standing before = shift.target() == 0 ? seat.standing : known(key);
        boolean leaves = before.inService() && !shift.to().inService();
        if (shift.target() == 0) {
            count(before, -1);
            count(shift.to(), 1);
            seat.standing = shift.to();
        } else {
            cells.put(key, shift.to());
            Map<Integer, Boolean> there = cellsOut.computeIfAbsent(shift.target(), target -> new HashMap<>());
            if (shift.to().inService()) {
                there.remove(shift.slot());
            } else {
                there.put(shift.slot(), true);
            }
        }
        // What people order needs no budget.
        if (leaves && shift.to().hold().equals(before.hold())) {
            checkBudget(shift);
        }
    }

    private void count(Standing standing, int by) {
        if (standing.counts()) {
            members += by;
            out += standing.inService() ? 0 : by;
        }
    }

    /** A subject in service has just been taken out by judgement: is what is left still within cap and floor? */
    private void checkBudget(Shift shift) {
        if (shift.target() == 0) {
            // A guilty tag leaves as one, with a bound of its own.
            boolean asTag = shift.budget().equals(Budget.ofTag(settings.quarantine()));
            int most = asTag ? Math.max(mayGo(members), members / 2) : mayGo(members);
            if (out > most) {
                report(out + " of " + members + " addresses out, at most " + most + " may be");
            }
            checkFloor(members - out, members, "");
            cellsOut.forEach((target, slots) -> {
                // Where the address did not serve any more, its going takes nothing away.
                if (!slots.containsKey(shift.slot())) {
                    checkFloor(target, slots);
                }
            });
        } else if (seats.get(shift.slot()).standing.counts()) {
            Map<Integer, Boolean> slots = cellsOut.getOrDefault(shift.target(), Map.of());
            int uncounted = cellsOf(slots, shift.target(), false);
            int cellsHere = cellsOf(slots, shift.target(), true);
            if (cellsHere > mayGo(members - uncounted)) {
                report(cellsHere + " of " + (members - uncounted) + " cells of a target out, at most "
                        + mayGo(members - uncounted) + " may be");
            }
            if (seats.get(shift.slot()).standing.inService()) {
                checkFloor(shift.target(), slots);
            }
        }
    }

    private int mayGo(int of) {
        return Math.max(of >= 3 ? 1 : 0, (int) (settings.quarantine().maxShare() * of + 1e-9));
    }

    private void checkFloor(long target, Map<Integer, Boolean> slots) {
        int here = members - cellsOf(slots, target, false);
        checkFloor(members - out - onlyCellOut(slots), here, " for a target");
    }

    private void checkFloor(int serving, int of, String where) {
        int floor = Math.min(settings.quarantine().minInService(), of);
        if (serving < floor) {
            report(serving + " addresses left" + where + ", the floor is " + floor);
        }
    }

    /** Cells out of members, either those that count themselves, or those that are dead or held by people. */
    private int cellsOf(Map<Integer, Boolean> slots, long target, boolean counted) {
        int count = 0;
        for (int slot : slots.keySet()) {
            Seat seat = seats.get(slot);
            Standing cell = known(cell(slot, target));
            count += seat.present && seat.standing.counts() && cell.counts() == counted ? 1 : 0;
        }
        return count;
    }

    private int onlyCellOut(Map<Integer, Boolean> slots) {
        int count = 0;
        for (int slot : slots.keySet()) {
            Seat seat = seats.get(slot);
            count += seat.present && seat.standing.inService() ? 1 : 0;
        }
        return count;
    }

    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> enrollees) {
        CompletionStage<Enrolled> stage = inner.enrol(chain, enrollees);
        enrolled(enrollees.stream().map(Enrollee::identity).toList(), answer(stage));
        return stage;
    }

    /** Whoever sits on a slot now is believed to stand as the store says: only changes are held against the books. */
    private void enrolled(List<Long> identities, Enrolled enrolled) {
        while (seats.size() < enrolled.tableSize()) {
            seats.add(new Seat());
        }
        int seated = enrolled.slots().size();
        members = 0;
        for (int slot = 0; slot < seats.size(); slot++) {
            seats.get(slot).present &= enrolled.slots().contains(slot);
        }
        out = 0;
        for (int i = 0; i < seated; i++) {
            int slot = enrolled.slots().get(i);
            Seat seat = seats.get(slot);
            Standing standing = enrolled.rows().get(i).standing();
            if (seat.owner != identities.get(i)) {
                seat.owner = identities.get(i);
                forgetCells(slot);
            }
            if (!seat.present) {
                seat.changedMicros = ticker.micros();
            }
            seat.present = true;
            seat.standing = standing;
            count(standing, 1);
        }
    }

    /** A new owner of the slot: what was known of the old one's cells means nothing. */
    private void forgetCells(int slot) {
        cellsOut.forEach((target, slots) -> {
            slots.remove(slot);
            cells.remove(cell(slot, target));
        });
    }

    private Standing known(long cell) {
        Standing standing = cells.get(cell);
        return standing == null ? FRESH : standing;
    }

    private static long cell(int slot, long target) {
        return target ^ ((slot + 1) * 0x9E3779B97F4A7C15L);
    }

    // ---- liveness

    /** A request without a session was refused for want of an address: was there one, at full weight and for a while? */
    void refusedForWantOfAddress(long target) {
        long now = ticker.micros();
        for (int slot = 0; slot < seats.size(); slot++) {
            Seat seat = current(slot, now);
            Standing cell = cells.get(cell(slot, target));
            if (seat.present
                    && now - seat.changedMicros > NOTICED_MICROS
                    && serves(seat.standing)
                    && seat.live() < settings.maxLeases()
                    && (cell == null || serves(cell))
                    && seat.liveOn(target) < settings.maxLeasesPerTarget()) {
                report("no address for a request, though slot " + slot + " was free");
                return;
            }
        }
    }

    /** Those on their way back may be held to fewer leases than their cap. */
    private static boolean serves(Standing standing) {
        return standing.inService() && !standing.slowStarting();
    }

    // ---- the rest passes through

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return inner.convict(chain, tally, expectedSinceMicros, guilty);
    }

    @Override
    public CompletionStage<Settled> observe(int chain, int slot, long target, Evidence address, Evidence cell) {
        return inner.observe(chain, slot, target, address, cell);
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        return inner.claimProbe(claim);
    }

    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        return inner.changes(chain, sinceVersion, max);
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        return inner.due(chain, max);
    }

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        sessions.remove(session);
        return inner.endSession(chain, session);
    }

    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        Bound bound = sessions.get(session);
        if (bound != null) {
            bound.repinned = true;
        }
        return inner.repinSession(chain, session);
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return inner.sessionPage(chain, from, max);
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        return inner.rows(chain, slot, targets);
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        return inner.session(chain, session);
    }

    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return inner.sessions(chain);
    }
}
