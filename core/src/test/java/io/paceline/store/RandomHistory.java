package io.paceline.store;

import io.paceline.LeaseId;
import io.paceline.health.Budget;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Settlement.Evidence;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Every kind of step that a store knows, in random order: what a gatekeeper, its operators and time may do to it. */
public final class RandomHistory {
    private static final int ADDRESSES = 12;
    private static final int POOL = 7;
    private static final int SPARE = 8;

    private final java.util.SplittableRandom random;
    private final VirtualTime time;
    private final List<LeaseId> leases = new ArrayList<>();
    private final List<Long> tickets = new ArrayList<>();
    private long nextId = 1;

    public RandomHistory(long seed, VirtualTime time) {
        this.random = new java.util.SplittableRandom(seed);
        this.time = time;
    }

    /** One step more; the store may be another one than before, if it stands where that stood. */
    public void step(MemoryStore store) {
        if (nextId == 1) {
            enrol(store, POOL);
            enrol(store, SPARE);
        }
        int what = random.nextInt(100);
        if (what < 45) {
            admit(store);
        } else if (what < 70) {
            settle(store);
        } else if (what < 75) {
            time.advance(Duration.ofMillis(random.nextInt(1, 3_000)));
        } else if (what < 80) {
            shift(store);
        } else if (what < 84) {
            pace(store);
        } else {
            rarely(store, what);
        }
    }

    private void rarely(MemoryStore store, int what) {
        switch (what) {
            case 84, 85 -> now(store.observe(POOL, slot(), site(), Evidence.FAULT, Evidence.SUCCESS));
            case 86, 87 -> now(store.endSession(POOL, session()));
            case 88, 89 -> now(store.repinSession(POOL, session()));
            case 90, 91 -> now(store.due(POOL, 100));
            case 92, 93 -> {
                if (!tickets.isEmpty()) {
                    now(store.giveBack(tickets.remove(random.nextInt(tickets.size()))));
                }
            }
            case 94 -> enrol(store, random.nextBoolean() ? POOL : SPARE);
            case 95, 96 -> {
                if (!leases.isEmpty()) {
                    now(store.renew(leases.get(random.nextInt(leases.size())), 10_000_000));
                }
            }
            case 97 -> now(store.convict(POOL, site(), 0, true));
            case 98 -> now(store.claimProbe(new ProbeClaim(POOL, slot(), 1, 1_000, 1_000_000)));
            default -> time.advance(Duration.ofMinutes(random.nextInt(1, 90)));
        }
    }

    private void enrol(MemoryStore store, int chain) {
        long[] identities = LongStream.generate(() -> random.nextLong(1, 2 * ADDRESSES))
                .distinct()
                .limit(ADDRESSES)
                .toArray();
        List<Enrollee> members = LongStream.of(identities)
                .mapToObj(identity -> new Enrollee(identity, 100 + identity % 3, 0))
                .toList();
        now(store.enrol(chain, members));
    }

    private void admit(MemoryStore store) {
        boolean session = random.nextInt(3) == 0;
        long id = nextId += 10;
        long site = site();
        long ticket = tickets.isEmpty() || random.nextInt(4) > 0 ? 0 : tickets.remove(tickets.size() - 1);
        Admission asked = new Admission(
                id,
                random.nextInt(10) == 0 ? Purpose.PROBE : Purpose.SERVE,
                random.nextInt(5) == 0 ? SPARE : POOL,
                site,
                charges(site),
                IntStream.range(0, 4).mapToObj(i -> new Candidate(slot(), 3, 2)).toList(),
                session ? claim() : null,
                random.nextInt(6) == 0 ? 3 : 1,
                random.nextInt(8) == 0 ? 0 : random.nextInt(1, 60) * 1_000_000L,
                random.nextBoolean() ? 0 : 20_000_000,
                ticket);
        Admitted admitted = now(store.admit(asked));
        if (admitted instanceof Admitted.Granted granted && asked.ttlMicros() > 0) {
            granted.grants()
                    .forEach(grant -> leases.add(
                            new LeaseId(grant.leaseId(), grant.chain(), grant.slot(), site, grant.expiresAtMicros())));
        } else if (admitted instanceof Admitted.Reserved reserved) {
            tickets.add(reserved.ticket());
        }
    }

    private List<Charge> charges(long site) {
        List<Charge> charges = new ArrayList<>();
        charge(charges, "gcra" + site, new LimitSpec.Gcra(500_000, 3), Scope.TARGET);
        charge(
                charges,
                "window" + site,
                new LimitSpec.Window(random.nextInt(40) == 0 ? 6 : 5, 4_000_000),
                Scope.TARGET);
        charge(charges, "long", new LimitSpec.Window(5_000, 3_600_000_000L), Scope.TARGET);
        charge(charges, "quota", new LimitSpec.Calendar(5_000, 86_400_000_000L, ZoneOffset.UTC), Scope.TARGET);
        charge(charges, "live" + site, new LimitSpec.Concurrency(9), Scope.TARGET);
        charge(charges, "each", new LimitSpec.Gcra(100_000, 2), Scope.of(Per.TARGET, Per.ADDRESS));
        charges.add(new Charge(
                "pace",
                "pace",
                paceKey(site),
                random.nextBoolean() ? LimitSpec.Pace.NOT_ADAPTIVE : new LimitSpec.Pace(1, 10),
                30_000_000,
                false,
                Scope.TARGET,
                false,
                1));
        return charges;
    }

    private void charge(List<Charge> charges, String key, LimitSpec spec, Scope scope) {
        if (random.nextInt(3) == 0) {
            charges.add(Charge.of(key, key, spec, 30_000_000, false, scope, false));
        }
    }

    private static long paceKey(long site) {
        return site * 31;
    }

    private SessionClaim claim() {
        OnAddressDeath[] ways = OnAddressDeath.values();
        return new SessionClaim(
                POOL,
                session(),
                random.nextInt(1, 60) * 1_000_000L,
                random.nextBoolean(),
                ways[random.nextInt(ways.length)],
                5_000_000,
                List.of(new SessionClaim.Caps(POOL, 3, 2), new SessionClaim.Caps(SPARE, 3, 2)));
    }

    private void settle(MemoryStore store) {
        if (leases.isEmpty()) {
            return;
        }
        LeaseId lease = leases.remove(random.nextInt(leases.size()));
        switch (random.nextInt(4)) {
            case 0 -> now(store.settle(Settlement.unused(lease)));
            case 1 ->
                now(store.settle(
                        new Settlement(lease, Evidence.NONE, Evidence.CAPTCHA, Sign.CAPTCHA, -1, true, false)));
            case 2 ->
                now(store.settle(
                        new Settlement(lease, Evidence.FAULT, Evidence.FAULT, Sign.UNREACHED, -1, true, false)));
            default ->
                now(store.settle(new Settlement(
                        lease,
                        Evidence.SUCCESS,
                        Evidence.SUCCESS,
                        Sign.SUCCESS,
                        random.nextInt(1_000_000),
                        true,
                        false)));
        }
    }

    private void shift(MemoryStore store) {
        int slot = slot();
        long site = random.nextBoolean() ? 0 : site();
        SlotRows rows = now(store.rows(POOL, slot, site == 0 ? List.of() : List.of(site)));
        io.paceline.health.@Nullable SubjectRow row =
                site == 0 ? rows.address() : rows.cells().get(site);
        if (row == null) {
            return;
        }
        Standing from = row.standing();
        long since = time.micros();
        Standing to = from.inService()
                ? new Standing(State.QUARANTINED, from.epoch() + 1, since, since + 60_000_000, 60_000_000, 1, 0, since)
                : Standing.fresh(from.epoch() + 1, since);
        now(store.shift(new Shift(POOL, slot, site, from, to, new Budget(0.5, 2))));
    }

    private void pace(MemoryStore store) {
        long site = site();
        PaceShift.Subject subject = random.nextBoolean()
                ? PaceShift.Subject.ofTarget(paceKey(site))
                : PaceShift.Subject.ofCell(POOL, slot(), site);
        PaceRow row = now(store.shiftPace(PaceShift.read(subject))).row();
        long at = time.micros();
        long until = at + random.nextInt(1, 20) * 100_000L;
        now(store.shiftPace(new PaceShift(
                subject, row.epoch(), new PaceRow(row.epoch() + 1, at, until, row.step() + 1, 0, 0, 4, 0))));
    }

    private int slot() {
        return random.nextInt(ADDRESSES);
    }

    private long site() {
        return 1_000_003L * random.nextInt(1, 4);
    }

    private long session() {
        return random.nextInt(1, 9) * 0x9E3779B97F4A7C15L;
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
