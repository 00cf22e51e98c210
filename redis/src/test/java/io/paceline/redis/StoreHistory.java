package io.paceline.redis;

import io.paceline.LeaseId;
import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrollee;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.PaceShift;
import io.paceline.store.ProbeClaim;
import io.paceline.store.SessionClaim;
import io.paceline.store.SessionPage;
import io.paceline.store.SessionRow;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import io.paceline.store.SlotRows;
import io.paceline.store.StateStore;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A random history of calls to two stores, and their answers in a form that can be compared.
 *
 * <p>What the port leaves open is left out of the comparison: the order of what is due at once, of pages and of what changed,
 * when to ask next (an embedded store may say "earlier"), how many leases are left in the report of one that expired among
 * several. Sums of doubles are compared to nine digits.
 */
final class StoreHistory {
    private static final int POOL = 7;
    private static final int SPARE = 8;
    private static final long[] TARGETS = {1_000_003, -5_000_000_000_007L, 77};
    private static final int BUCKETS = 7;
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;

    private final StateStore memory;
    private final StateStore redis;
    private final RandomGenerator random;
    /** What a permit costs in each bucket; some cost more than theirs ever has. */
    private final int[] costs;

    private final List<LeaseId> leases = new ArrayList<>();
    private final Set<Long> withoutRelease = new HashSet<>();
    private final List<Admission> asked = new ArrayList<>();
    private final List<Admitted.Reserved> tickets = new ArrayList<>();
    private final Map<Long, Long> guilty = new LinkedHashMap<>();
    private final long[] version = new long[2];
    private long lastId;
    private long now;
    private int size = 4;

    StoreHistory(StateStore memory, StateStore redis, RandomGenerator random) {
        this.memory = memory;
        this.redis = redis;
        this.random = random;
        this.costs = random.ints(BUCKETS, -4, 5).map(cost -> Math.max(1, cost)).toArray();
    }

    /** One call, and what both have said. */
    record Step(String call, Object inMemory, Object onRedis) {
        @Override
        public String toString() {
            return call + " -> " + inMemory;
        }
    }

    long pause() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextLong(1_000);
            case 2, 3 -> random.nextLong(SECOND);
            case 4, 5 -> random.nextLong(10 * SECOND);
            case 6 -> random.nextLong(MINUTE);
            default -> random.nextLong(3 * MINUTE);
        };
    }

    Step next() {
        if (lastId++ == 0 || random.nextInt(60) == 0) {
            return enrol();
        }
        int kind = random.nextInt(100);
        if (kind < 38) {
            return admit();
        }
        if (kind < 62) {
            return settle();
        }
        if (kind < 70) {
            return shift();
        }
        if (kind < 74) {
            return due();
        }
        return switch (kind) {
            case 74, 75, 76 -> observe();
            case 77, 78 -> renew();
            case 79, 80, 81 -> probe();
            case 82, 83, 84 -> convict();
            case 85, 86, 87 -> changes();
            case 88, 89 -> pace();
            case 90, 91 -> giveBack();
            case 92, 93 -> endOrRepin();
            case 94 -> page();
            case 95, 96 -> rows();
            default -> session();
        };
    }

    // ---- calls

    private <T> Step both(String call, Function<StateStore, CompletionStage<T>> ask, Function<T, Object> comparable) {
        T inMemory = ask.apply(memory).toCompletableFuture().join();
        T onRedis = ask.apply(redis).toCompletableFuture().join();
        return new Step(call, comparable.apply(inMemory), comparable.apply(onRedis));
    }

    private <T> T known(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private int chain() {
        return random.nextInt(5) == 0 ? SPARE : POOL;
    }

    private long target() {
        return TARGETS[random.nextInt(TARGETS.length)];
    }

    private int slot() {
        return random.nextInt(size + 2) - (random.nextInt(20) == 0 ? 1 : 0);
    }

    private Step enrol() {
        int chain = chain();
        size = 3 + random.nextInt(5);
        List<Enrollee> members = new ArrayList<>();
        // Of 12 addresses, half of which stand in both pools.
        long first = chain == POOL ? 1 : 6;
        LongStream.range(first, first + 9).forEach(id -> {
            if (members.size() < size && random.nextInt(4) > 0) {
                members.add(
                        new Enrollee(id * 0xD1B54A32D192ED03L, id % 3 == 0 ? 0 : 71 + id % 2, id % 4 == 0 ? 99 : 0));
            }
        });
        // Nobody else's leases can be live on a slot that is given away, but permits that need no release may be on
        // their way.
        leases.removeIf(lease -> withoutRelease.contains(lease.value()));
        asked.clear();
        return both("enrol " + chain + " " + members, store -> store.enrol(chain, members), enrolled -> enrolled);
    }

    private LimitSpec spec() {
        return switch (random.nextInt(9)) {
            case 0 -> new LimitSpec.Gcra(2 * SECOND, 3);
            case 1 -> new LimitSpec.Gcra(333_333, 1);
            case 2 -> new LimitSpec.Window(5, 10 * SECOND);
            case 3 -> new LimitSpec.Window(70, 20 * SECOND);
            case 4 -> new LimitSpec.Calendar(6, MINUTE, ZoneId.of("Europe/Berlin"));
            case 5 -> new LimitSpec.Calendar(20, 6 * 60 * MINUTE, ZoneId.of("Asia/Kolkata"));
            default -> new LimitSpec.Concurrency(4);
        };
    }

    /** Mostly the same bucket counts by the same rule; sometimes the rule has been reloaded. */
    private Charge charge(int bucket) {
        LimitSpec[] usual = {
            new LimitSpec.Gcra(2 * SECOND, 3),
            new LimitSpec.Window(5, 10 * SECOND),
            new LimitSpec.Window(70, 20 * SECOND),
            new LimitSpec.Calendar(6, MINUTE, ZoneId.of("Europe/Berlin")),
            new LimitSpec.Concurrency(4),
            new LimitSpec.Gcra(SECOND, 1),
            new LimitSpec.Concurrency(2)
        };
        LimitSpec spec = random.nextInt(25) == 0 ? spec() : usual[bucket];
        Scope scope = bucket >= 5 ? Scope.of(Per.ADDRESS) : Scope.TARGET;
        long wait = random.nextInt(3) == 0 ? 0 : 30 * SECOND;
        boolean dryRun = bucket == 2 && random.nextBoolean();
        Charge one = Charge.of("rule" + bucket, "key" + bucket, spec, wait, dryRun, scope, false);
        return new Charge(one.rule(), one.key(), one.hash(), spec, wait, dryRun, scope, false, costs[bucket]);
    }

    private static final long PACE = 424_242;

    private List<Charge> charges() {
        List<Charge> charges = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            if (random.nextInt(4) == 0) {
                charges.add(charge(bucket));
            }
        }
        if (random.nextInt(3) == 0) {
            LimitSpec spec = random.nextBoolean() ? LimitSpec.Pace.NOT_ADAPTIVE : new LimitSpec.Pace(0.5, 8);
            charges.add(new Charge("server-hint", "|pace", PACE, spec, 20 * SECOND, false, Scope.TARGET, false));
        }
        return charges;
    }

    private @Nullable SessionClaim claim() {
        if (random.nextInt(5) > 1) {
            return null;
        }
        OnAddressDeath[] all = OnAddressDeath.values();
        List<SessionClaim.Caps> caps = List.of(new SessionClaim.Caps(POOL, 3, 2), new SessionClaim.Caps(SPARE, 2, 2));
        long ttl = random.nextInt(4) == 0 ? MINUTE / 2 : 15 * MINUTE;
        int key = random.nextInt(4);
        return new SessionClaim(POOL, key, ttl, key % 2 == 0, all[key % all.length], 2 * MINUTE, caps);
    }

    private Step admit() {
        Admission admission;
        if (!asked.isEmpty() && random.nextInt(20) == 0) {
            admission = asked.get(asked.size() - 1);
        } else {
            List<Candidate> candidates = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                candidates.add(new Candidate(slot(), 1 + random.nextInt(3), 1 + random.nextInt(2)));
            }
            Admission.Purpose purpose = switch (random.nextInt(12)) {
                case 0, 1 -> Admission.Purpose.PROBE;
                case 2 -> Admission.Purpose.PANIC;
                default -> Admission.Purpose.SERVE;
            };
            long ticket = !tickets.isEmpty() && random.nextInt(5) == 0
                    ? tickets.get(random.nextInt(tickets.size())).ticket()
                    : 0;
            lastId += 10;
            admission = new Admission(
                    lastId * 0x5851F42D4C957F2DL,
                    purpose,
                    chain(),
                    target(),
                    charges(),
                    candidates,
                    purpose == Admission.Purpose.SERVE ? claim() : null,
                    random.nextInt(6) == 0 ? 3 : 1,
                    random.nextInt(8) == 0 ? 0 : (1 + random.nextLong(4)) * 20 * SECOND,
                    random.nextLong(2) * 15 * SECOND,
                    ticket);
            asked.add(admission);
        }
        Step step = both(admission.toString(), store -> store.admit(admission), StoreHistory::comparable);
        if (step.inMemory instanceof Admitted.Granted granted) {
            now = granted.nowMicros();
            if (admission.ttlMicros() == 0) {
                granted.grants().forEach(grant -> withoutRelease.add(grant.leaseId()));
            }
            granted.grants()
                    .forEach(grant -> leases.add(new LeaseId(
                            grant.leaseId(),
                            grant.chain(),
                            grant.slot(),
                            admission.target(),
                            grant.expiresAtMicros())));
        } else if (step.inMemory instanceof Admitted.Reserved reserved) {
            tickets.add(reserved);
        }
        return step;
    }

    private Step settle() {
        if (leases.isEmpty()) {
            return due();
        }
        int place = Math.max(0, leases.size() - 1 - random.nextInt(12));
        LeaseId lease = leases.get(place);
        if (random.nextInt(10) > 0) {
            leases.remove(place);
        }
        Settlement settlement = switch (random.nextInt(8)) {
            case 0 -> Settlement.unused(lease);
            case 1 ->
                new Settlement(
                        lease,
                        Settlement.Evidence.FAULT,
                        Settlement.Evidence.FAULT,
                        Sign.UNREACHED,
                        -1,
                        random.nextBoolean(),
                        false);
            case 2 ->
                new Settlement(
                        lease, Settlement.Evidence.NONE, Settlement.Evidence.CAPTCHA, Sign.CAPTCHA, -1, true, false);
            case 3 ->
                new Settlement(
                        lease, Settlement.Evidence.SUCCESS, Settlement.Evidence.FAULT, Sign.REFUSED, -1, true, false);
            default ->
                new Settlement(
                        lease,
                        Settlement.Evidence.SUCCESS,
                        Settlement.Evidence.SUCCESS,
                        Sign.SUCCESS,
                        random.nextInt(5) == 0 ? -1 : 1 + random.nextLong(3 * SECOND),
                        true,
                        false);
        };
        return both(settlement.toString(), store -> store.settle(settlement), StoreHistory::comparable);
    }

    private Step renew() {
        if (leases.isEmpty()) {
            return due();
        }
        LeaseId lease = leases.get(random.nextInt(leases.size()));
        long ttl = random.nextLong(90 * SECOND);
        return both("renew " + lease + " " + ttl, store -> store.renew(lease, ttl), renewed -> renewed);
    }

    private Step observe() {
        int chain = chain();
        int slot = slot();
        long target = target();
        Settlement.Evidence[] all = Settlement.Evidence.values();
        Settlement.Evidence address = all[random.nextInt(3)];
        Settlement.Evidence cell = all[random.nextInt(all.length)];
        return both(
                "observe " + chain + " " + slot + " " + target + " " + address + " " + cell,
                store -> store.observe(chain, slot, target, address, cell),
                StoreHistory::comparable);
    }

    private Step probe() {
        ProbeClaim claim = new ProbeClaim(chain(), slot(), random.nextInt(2), random.nextLong(MINUTE), MINUTE / 2);
        return both(claim.toString(), store -> store.claimProbe(claim), held -> held);
    }

    private Step shift() {
        int chain = chain();
        int slot = slot();
        long target = random.nextBoolean() ? 0 : target();
        SlotRows rows = known(memory.rows(chain, slot, target == 0 ? List.of() : List.of(target)));
        SubjectRow row = target == 0 ? rows.address() : rows.cells().get(target);
        Standing from = row == null || random.nextInt(10) == 0 ? Standing.fresh(0, 0) : row.standing();
        Standing to = neverBefore(moved(from));
        Budget budget = random.nextBoolean() ? Budget.NONE : new Budget(0.3, 2);
        Shift shift = new Shift(chain, slot, target, from, to, budget);
        return both(shift.toString(), store -> store.shift(shift), shifted -> shifted);
    }

    /** A store may hand out twice what has stood in the same way twice. */
    private Standing neverBefore(Standing to) {
        return new Standing(
                to.state(),
                to.epoch(),
                to.sinceMicros() + ++lastId,
                to.untilMicros(),
                to.waitMicros(),
                to.relapses(),
                to.rampFromMicros(),
                to.outSinceMicros(),
                to.hold());
    }

    private Standing moved(Standing from) {
        long wait = 10 * SECOND + random.nextLong(MINUTE);
        return switch (random.nextInt(8)) {
            case 0 -> from.inState(State.DEGRADED, now);
            case 1 -> from.inState(State.HEALTHY, now);
            case 2, 3 ->
                new Standing(
                        State.QUARANTINED,
                        from.epoch() + 1,
                        now,
                        now + wait,
                        wait,
                        from.relapses() + 1,
                        0,
                        now,
                        from.hold());
            case 4 ->
                new Standing(
                        State.PROBING, from.epoch(), now, 0, from.waitMicros(), from.relapses(), 0, now, from.hold());
            case 5 ->
                new Standing(
                        State.PROBING, from.epoch() + 1, now, now + MINUTE, from.waitMicros(), 1, now, 0, from.hold());
            case 6 ->
                new Standing(
                        State.DEAD,
                        from.epoch() + 1,
                        now,
                        random.nextBoolean() ? 0 : now + wait,
                        0,
                        6,
                        0,
                        now,
                        from.hold());
            default ->
                from.under(
                        switch (random.nextInt(4)) {
                            case 0 -> new Hold(true, false, null);
                            case 1 -> new Hold(false, true, null);
                            case 2 ->
                                new Hold(false, false, new Hold.Ban("why, é?", random.nextBoolean() ? 0 : now + wait));
                            default -> Hold.NONE;
                        });
        };
    }

    private Step pace() {
        PaceShift.Subject subject = random.nextInt(3) == 0
                ? PaceShift.Subject.ofCell(chain(), slot(), target())
                : PaceShift.Subject.ofTarget(PACE);
        PaceRow known = known(memory.shiftPace(PaceShift.read(subject))).row();
        PaceRow to = switch (random.nextInt(4)) {
            case 0 -> known.slowedTo(random.nextLong(3) * SECOND);
            case 1 -> new PaceRow(known.epoch() + 1, known.sinceMicros(), 0, known.step(), 3, 0, 2.5, 5 * SECOND);
            case 2 -> known.slowedTo(0);
            default ->
                new PaceRow(known.epoch() + 1, now, now + random.nextLong(20 * SECOND), known.step() + 1, 0, 0, 4, 0);
        };
        int expected = random.nextInt(6) == 0 ? PaceShift.READ : known.epoch();
        PaceShift shift = new PaceShift(subject, expected, to);
        return both(shift.toString(), store -> store.shiftPace(shift), shifted -> shifted);
    }

    private Step convict() {
        int chain = chain();
        long tally = new long[] {TARGETS[0], StateStore.POOL, 71, 99}[random.nextInt(4)];
        long since = guilty.getOrDefault(chain + 31 * tally, 0L);
        boolean to = since == 0 || random.nextInt(3) == 0;
        Step step = both(
                "convict " + chain + " " + tally + " " + since + " " + to,
                store -> store.convict(chain, tally, since, to),
                done -> done);
        if (step.inMemory.equals(true)) {
            long at = known(memory.shiftPace(PaceShift.read(PaceShift.Subject.ofTarget(1))))
                    .nowMicros();
            guilty.put(chain + 31 * tally, to ? at : 0L);
        }
        return step;
    }

    private Step changes() {
        int chain = chain();
        int place = chain - POOL;
        long since = random.nextInt(5) == 0 ? 0 : version[place];
        Step step = both(
                "changes " + chain + " " + since,
                store -> store.changes(chain, since, 1_000),
                changes -> List.of(changes.version(), changes.reset(), sorted(changes)));
        version[place] = known(memory.changes(chain, since, 1_000)).version();
        return step;
    }

    private static List<Changes.Change> sorted(Changes changes) {
        return changes.changes().stream()
                // The standing of a cell that nobody knows begins when it is shown.
                .map(change -> change.row().revision() == 0 && change.row().outcomes() == 0
                        ? new Changes.Change(
                                change.slot(),
                                change.target(),
                                change.removed(),
                                new SubjectRow(Standing.fresh(0, 0), 0, 0, 0, 0, 0, 0, 0, 0))
                        : change)
                .sorted(Comparator.comparingInt(Changes.Change::slot).thenComparingLong(Changes.Change::target))
                .toList();
    }

    private Step due() {
        int chain = chain();
        return both(
                "due " + chain,
                store -> store.due(chain, 100),
                due -> List.of(
                        due.waits().stream()
                                .sorted(Comparator.comparingInt(Due.Wait::slot).thenComparingLong(Due.Wait::target))
                                .toList(),
                        due.expired().stream()
                                .map(expired -> List.of(expired.leaseId(), (long) expired.slot(), expired.target()))
                                .sorted(Comparator.comparing(expired -> expired.get(0)))
                                .toList()));
    }

    private Step giveBack() {
        if (tickets.isEmpty()) {
            return due();
        }
        Admitted.Reserved ticket = tickets.remove(tickets.size() - 1);
        long at = known(memory.shiftPace(PaceShift.read(PaceShift.Subject.ofTarget(1))))
                .nowMicros();
        // One that is past its time may have been forgotten or not.
        return at > ticket.useByMicros()
                ? due()
                : both("give back " + ticket.ticket(), store -> store.giveBack(ticket.ticket()), given -> given);
    }

    private Step session() {
        long key = random.nextInt(4);
        return both("session " + key, store -> store.session(POOL, key), seen -> seen);
    }

    private Step endOrRepin() {
        long key = random.nextInt(4);
        if (known(memory.session(POOL, key)).isEmpty()) {
            return session();
        }
        return random.nextBoolean()
                ? both("repin " + key, store -> store.repinSession(POOL, key), done -> done)
                : both("end " + key, store -> store.endSession(POOL, key), done -> done);
    }

    private Step page() {
        return both(
                "sessions",
                store -> store.sessions(POOL)
                        .thenCombine(store.sessionPage(POOL, 0, 100), (count, page) -> List.of(count, sorted(page))),
                answer -> answer);
    }

    private static List<SessionRow> sorted(SessionPage page) {
        return page.rows().stream()
                .sorted(Comparator.comparingLong(SessionRow::key))
                .toList();
    }

    private Step rows() {
        int chain = chain();
        int slot = slot();
        return both(
                "rows " + chain + " " + slot,
                store -> store.rows(chain, slot, List.of(TARGETS[0], TARGETS[1])),
                rows -> rows);
    }

    // ---- answers that have no equality of their own

    /** An embedded store forgets idle limits sooner or later, and with them that they were near their end. */
    private static Admitted comparable(Admitted admitted) {
        return admitted instanceof Admitted.Granted granted
                ? new Admitted.Granted(granted.grants(), granted.dryRunRefusals(), List.of(), granted.nowMicros())
                : admitted;
    }

    private static Object comparable(Settled settled) {
        return List.of(
                settled.result(),
                settled.trained(),
                String.valueOf(settled.address()),
                String.valueOf(settled.cell()),
                settled.tallies().stream().map(StoreHistory::words).toList(),
                settled.members(),
                String.valueOf(settled.pace()),
                settled.grantedAtMicros(),
                settled.nowMicros());
    }

    private static String words(TallyRow row) {
        StringBuilder words = new StringBuilder();
        for (Field field : TallyRow.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                words.append(field.getName())
                        .append('=')
                        .append(word(field, row))
                        .append(' ');
            }
        }
        return words.toString();
    }

    private static String word(Field field, TallyRow row) {
        try {
            field.setAccessible(true);
            Object value = field.get(row);
            if (value instanceof long[] longs) {
                return Arrays.toString(longs);
            }
            return value instanceof Double number ? String.format("%.9g", number) : String.valueOf(value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
