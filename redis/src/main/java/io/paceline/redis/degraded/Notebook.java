package io.paceline.redis.degraded;

import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Changes;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.PaceShift;
import io.paceline.store.SessionClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows without asking: members and standings as last told, its own live leases, the sessions that it has
 * served. Enough to go on alone. Thread-safe; bounded by what is configured and live.
 */
final class Notebook {
    /** Bindings that are remembered at most; of further ones this instance knows nothing while it is alone. */
    private static final int MOST_SESSIONS = 200_000;

    private static final int SWEEP_EVERY = 4_096;

    /**
     * A live lease that this instance asked for.
     *
     * @param identity of its address
     * @param concurrency what it is counted in while it is live
     * @param claim the session that it belongs to, or null
     * @param alone it was granted while the shared store was away, which knows nothing of it
     */
    record Held(
            long id,
            int chain,
            int slot,
            long identity,
            long target,
            long grantedAtMicros,
            long expiresAtMicros,
            List<Charge> concurrency,
            @Nullable SessionClaim claim,
            boolean alone) {
        Held until(long micros) {
            return new Held(id, chain, slot, identity, target, grantedAtMicros, micros, concurrency, claim, alone);
        }

        Held shared() {
            return new Held(
                    id, chain, slot, identity, target, grantedAtMicros, expiresAtMicros, concurrency, claim, false);
        }
    }

    record SessionName(int chain, long key) {}

    /**
     * Where a session is bound.
     *
     * @param chain of its address
     * @param target of its last request
     */
    record Bound(SessionClaim claim, int chain, int slot, long target, long expiresAtMicros, boolean alone) {}

    /** An address, with target 0, or a cell. */
    record Subject(int chain, int slot, long target) {}

    /** The members of a chain by slot. */
    static final class Table {
        final List<Enrollee> members;
        final List<Integer> slots;
        final AtomicReferenceArray<@Nullable Enrollee> bySlot;
        final AtomicReferenceArray<@Nullable Standing> standings;

        Table(List<Enrollee> members, Enrolled enrolled) {
            this.members = List.copyOf(members);
            this.slots = List.copyOf(enrolled.slots());
            bySlot = new AtomicReferenceArray<>(enrolled.tableSize());
            standings = new AtomicReferenceArray<>(enrolled.tableSize());
            for (int i = 0; i < members.size(); i++) {
                bySlot.set(slots.get(i), members.get(i));
                standings.set(slots.get(i), enrolled.rows().get(i).standing());
            }
        }

        int size() {
            return bySlot.length();
        }
    }

    final Map<Integer, Table> tables = new ConcurrentHashMap<>();
    /** Of cells that are not as good as new. */
    final Map<Subject, Standing> cells = new ConcurrentHashMap<>();

    final Map<Long, Held> held = new ConcurrentHashMap<>();
    /** Those that have ended, of which the shared store was not told: to everybody else they are live. */
    final Map<Long, Held> untold = new ConcurrentHashMap<>();

    final Map<SessionName, Bound> sessions = new ConcurrentHashMap<>();
    final Map<PaceShift.Subject, PaceRow> paces = new ConcurrentHashMap<>();
    /** Admissions that the shared store may have granted, though its answer did not come. */
    private final Set<Long> doubted = ConcurrentHashMap.newKeySet();

    private final AtomicLong longestLease = new AtomicLong();
    private final AtomicLong longestWindow = new AtomicLong();
    private final AtomicInteger noted = new AtomicInteger();

    long longestLeaseMicros() {
        return longestLease.get();
    }

    /** Of the limits that were charged: after so long nothing that a limit has counted matters any more. */
    long longestWindowMicros() {
        return longestWindow.get();
    }

    // ---- what was told

    void enrolled(int chain, List<Enrollee> members, Enrolled enrolled) {
        tables.put(chain, new Table(members, enrolled));
    }

    void changed(int chain, Changes changes) {
        if (changes.reset()) {
            cells.keySet().removeIf(subject -> subject.chain == chain);
        }
        for (Changes.Change change : changes.changes()) {
            if (!change.removed()) {
                stands(new Subject(chain, change.slot(), change.target()), change.row());
            }
        }
    }

    void stands(Subject subject, SubjectRow row) {
        Table table = tables.get(subject.chain);
        if (subject.target != 0) {
            if (row.standing().epoch() == 0 && row.standing().inService()) {
                cells.remove(subject);
            } else {
                cells.put(subject, row.standing());
            }
        } else if (table != null && subject.slot < table.size()) {
            table.standings.set(subject.slot, row.standing());
        }
    }

    void paced(PaceShift.Subject subject, PaceRow row) {
        if (paces.size() < MOST_SESSIONS) {
            paces.put(subject, row);
        }
    }

    /** @param alone it was decided without the shared store */
    void admitted(Admission asked, Admitted answer, boolean alone) {
        if (answer instanceof Admitted.Granted granted) {
            longestLease.accumulateAndGet(asked.ttlMicros(), Math::max);
            for (int i = 0; i < asked.charges().size(); i++) {
                longestWindow.accumulateAndGet(window(asked.charges().get(i).spec()), Math::max);
            }
            for (Admitted.Grant grant : granted.grants()) {
                granted(asked, grant, alone);
            }
        }
    }

    void renewed(long lease, long ttlMicros, long expiresAtMicros) {
        longestLease.accumulateAndGet(ttlMicros, Math::max);
        held.computeIfPresent(lease, (id, known) -> known.until(expiresAtMicros));
    }

    void unanswered(Admission asked) {
        for (int i = 0; i < asked.count() && doubted.size() < Outbox.MOST; i++) {
            doubted.add(asked.leaseId() + i);
        }
    }

    /** Whether the shared store may know a lease that nobody was told of; true once. */
    boolean doubted(long lease) {
        return doubted.remove(lease);
    }

    /** It has ended, and the shared store does not know. */
    @Nullable
    Held endedUntold(long lease) {
        Held ended = held.remove(lease);
        if (ended != null && !ended.alone) {
            untold.put(lease, ended);
        }
        return ended;
    }

    private void granted(Admission asked, Admitted.Grant grant, boolean alone) {
        Enrollee owner = member(grant.chain(), grant.slot());
        if (owner == null) {
            return;
        }
        if (asked.ttlMicros() > 0) {
            held.put(
                    grant.leaseId(),
                    new Held(
                            grant.leaseId(),
                            grant.chain(),
                            grant.slot(),
                            owner.identity(),
                            asked.target(),
                            grant.grantedAtMicros(),
                            grant.expiresAtMicros(),
                            concurrency(asked.charges()),
                            asked.session(),
                            alone));
        }
        SessionClaim claim = asked.session();
        if (claim != null) {
            SessionName name = new SessionName(claim.chain(), claim.key());
            Bound before = sessions.get(name);
            if (before != null || sessions.size() < MOST_SESSIONS) {
                long fixed = before == null ? 0 : before.expiresAtMicros;
                long expires = claim.sliding() || fixed < grant.grantedAtMicros()
                        ? grant.grantedAtMicros() + claim.ttlMicros()
                        : fixed;
                boolean own = before == null ? alone : before.alone && alone;
                sessions.put(name, new Bound(claim, grant.chain(), grant.slot(), asked.target(), expires, own));
            }
        }
        if (noted.incrementAndGet() % SWEEP_EVERY == 0) {
            forget(grant.grantedAtMicros());
        }
    }

    private static List<Charge> concurrency(List<Charge> charges) {
        List<Charge> counted = List.of();
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).isRate()) {
                counted = counted.isEmpty() ? new ArrayList<>(2) : counted;
                counted.add(charges.get(i));
            }
        }
        return counted;
    }

    static long window(LimitSpec spec) {
        if (spec instanceof LimitSpec.Window window) {
            return window.windowMicros();
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return calendar.windowMicros();
        }
        return spec instanceof LimitSpec.Gcra gcra ? gcra.intervalMicros() * gcra.burst() : 0;
    }

    /** What has ended by itself. */
    void forget(long nowMicros) {
        held.values().removeIf(lease -> lease.expiresAtMicros <= nowMicros);
        untold.values().removeIf(lease -> lease.expiresAtMicros <= nowMicros);
        sessions.values().removeIf(session -> session.expiresAtMicros <= nowMicros);
        paces.values().removeIf(pace -> pace.blockedUntilMicros() <= nowMicros && pace.slowIntervalMicros() == 0);
    }

    // ---- what is known

    @Nullable
    Enrollee member(int chain, int slot) {
        Table table = tables.get(chain);
        return table == null || slot < 0 || slot >= table.size() ? null : table.bySlot.get(slot);
    }

    /** How many slots a chain has. */
    int size(int chain) {
        Table table = tables.get(chain);
        return table == null ? 0 : table.size();
    }

    /** Another owner for each place that nobody has: the same on every instance. */
    static Enrollee placeholder(int chain, int slot) {
        return new Enrollee(Rendezvous.mixed(((long) chain << 32) ^ slot ^ 0x706c616365L), 0, 0);
    }
}
