package io.paceline.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one pool, and what their addresses allow.
 *
 * <pre>
 *   the address, or its cell           on_address_death   next request
 *   ---------------------------------  -----------------  -----------------------------------------------
 *   serves                             any                same address
 *   out of service                     any                SessionPaused
 *   lost: removed, dead or banned, or  END                SessionEnded, until ended, re-pinned or over
 *   out for too long                   PAUSE              SessionPaused
 *                                      MIGRATE            leaves
 *   any, and the session was re-pinned any                leaves, where there is another address to go to
 *
 *   leaves: with leases still live SessionMoving, else bound anew in the step that grants the lease
 * </pre>
 *
 * <p>A session has one address at any time because it is bound anew only where none of its leases is live. Guarded by the
 * store's lock.
 */
final class Sessions {
    private final LongMap<Session> byKey = new LongMap<>();
    private final ChangeLog log;
    private final ChangeTrack<Session> changed;
    final int chain;
    private int sweepPlace;

    Sessions(int chain, ChangeLog log) {
        this.chain = chain;
        this.log = log;
        this.changed = new ChangeTrack<>(
                log,
                (session, key) -> new StoreChange.OfSession(chain, session.save()),
                key -> new StoreChange.Gone(StoreChange.Kind.SESSION, chain, key));
    }

    /** The session is about to change. */
    void touch(Session session) {
        changed.touch(session, session.key);
    }

    void touchAll() {
        byKey.forEach(changed::touch);
    }

    /** It is about to leave the list; its live leases are nobody's then. */
    private void leave(Session session) {
        log.unlisting(session);
        changed.gone(session, session.key);
    }

    /** The session that the key is bound to, or null where it may be bound anew. */
    @Nullable
    Session live(long key, long nowMicros) {
        Session session = byKey.get(key);
        return session == null || session.over(nowMicros) ? null : session;
    }

    /** Whether the next request of the session goes to another address. */
    static boolean leaves(Session session, Admission asked, SessionClaim claim, long nowMicros) {
        if (session.repinned) {
            return !serves(session, asked.target()) || namesAnother(asked, session);
        }
        return claim.onAddressDeath() == OnAddressDeath.MIGRATE
                && (session.ended || lost(session, claim, asked.target(), nowMicros));
    }

    private static boolean namesAnother(Admission asked, Session session) {
        boolean elsewhere = asked.chain() != session.chain.id;
        return asked.candidates().stream().anyMatch(candidate -> elsewhere || candidate.slot() != session.address.slot);
    }

    /** Why the session's address cannot serve; null where it does. What is paused stays alive by being asked for. */
    static @Nullable Admitted unable(
            Session session, boolean leaves, Admission asked, SessionClaim claim, long nowMicros) {
        if (leaves) {
            return session.live == 0
                    ? null
                    : new Admitted.SessionMoving(session.chain.id, session.leasesUntilMicros, nowMicros);
        }
        boolean lost = lost(session, claim, asked.target(), nowMicros);
        if (claim.onAddressDeath() == OnAddressDeath.END && (session.ended || lost)) {
            session.ended = true;
            return new Admitted.SessionEnded(nowMicros);
        }
        if (!lost && serves(session, asked.target())) {
            return null;
        }
        used(session, claim, nowMicros);
        return new Admitted.SessionPaused(session.address.slot, backAtMicros(session, asked.target()), nowMicros);
    }

    private static boolean serves(Session session, long target) {
        CellRow cell = session.chain.cellIfKnown(session.address.slot, target);
        return session.chain.serves(session.address)
                && session.address.standing.servesSessions()
                && (cell == null || cell.standing.servesSessions());
    }

    private static boolean lost(Session session, SessionClaim claim, long target, long nowMicros) {
        CellRow cell = session.chain.cellIfKnown(session.address.slot, target);
        return session.chain.lost(session.address, cell)
                || outTooLong(session.address, claim, nowMicros)
                || (cell != null && outTooLong(cell, claim, nowMicros));
    }

    private static boolean outTooLong(Row row, SessionClaim claim, long nowMicros) {
        return !row.standing.fit() && nowMicros - row.standing.outSinceMicros() > claim.lostAfterOutMicros();
    }

    /** When the wait of what is out ends; 0 where nobody knows. */
    private static long backAtMicros(Session session, long target) {
        AddressRow address = session.address;
        if (!session.chain.serves(address)) {
            return 0;
        }
        CellRow cell = session.chain.cellIfKnown(address.slot, target);
        Row out = address.standing.servesSessions() && cell != null ? cell : address;
        return out.standing.returnMicros();
    }

    /** A request of the session goes to its address, or would. */
    static void used(Session session, SessionClaim claim, long nowMicros) {
        if (claim.sliding()) {
            session.expiresAtMicros = nowMicros + claim.ttlMicros();
        }
    }

    /**
     * Binds the key to an address.
     *
     * @param left the binding whose place it takes, or null at the beginning of a session
     */
    Session bind(SessionClaim claim, ChainTable chain, AddressRow address, @Nullable Session left, long nowMicros) {
        Session before = left != null ? left : unfinishedMove(claim.key(), nowMicros);
        long expiresAtMicros =
                before != null && !claim.sliding() ? before.expiresAtMicros : nowMicros + claim.ttlMicros();
        Session session = new Session(this, claim.key(), chain, address, before != null, expiresAtMicros);
        forgetOne(nowMicros); // before: until it has a lease, a new one looks as if it were over
        Session old = byKey.get(claim.key());
        if (old != null) {
            leave(old);
        }
        byKey.put(claim.key(), session);
        touch(session);
        return session;
    }

    /** A migration whose first requests did not reach the new address: the next binding still is a migration. */
    private @Nullable Session unfinishedMove(long key, long nowMicros) {
        Session before = byKey.get(key);
        return before != null && before.migrated && !before.expired(nowMicros) ? before : null;
    }

    boolean end(long key) {
        Session session = byKey.get(key);
        if (session != null) {
            leave(session);
            byKey.remove(key);
        }
        return session != null;
    }

    /** False where there is no such session. */
    boolean repin(long key, long nowMicros) {
        Session session = live(key, nowMicros);
        if (session == null) {
            return false;
        }
        touch(session);
        session.repinned = true;
        session.ended = false;
        return true;
    }

    /** A step for each session that comes: however many come, those that are over do not pile up. */
    void forgetOne(long nowMicros) {
        sweepPlace = byKey.visitNext(sweepPlace, (session, key) -> {
            if (session.forgettable(nowMicros)) {
                leave(session);
                byKey.remove(key);
            }
        });
    }

    /** Records, those of sessions that are over included. */
    int size() {
        return byKey.size();
    }

    int count(long nowMicros) {
        int[] live = {0};
        byKey.forEach((session, key) -> live[0] += session.over(nowMicros) ? 0 : 1);
        return live[0];
    }

    SessionPage page(long from, int max, long nowMicros) {
        List<SessionRow> rows = new ArrayList<>();
        long next = byKey.visitFrom(from, (session, key) -> {
            if (!session.over(nowMicros)) {
                rows.add(row(session, key));
            }
            return rows.size() < max;
        });
        return new SessionPage(rows, next);
    }

    Optional<SessionRow> row(long key, long nowMicros) {
        Session session = live(key, nowMicros);
        return session == null ? Optional.empty() : Optional.of(row(session, key));
    }

    private static SessionRow row(Session session, long key) {
        SessionRow.State state = session.repinned
                ? SessionRow.State.MOVING
                : session.ended ? SessionRow.State.ENDED : SessionRow.State.BOUND;
        return new SessionRow(
                key,
                session.chain.id,
                session.address.slot,
                session.chain.serves(session.address),
                session.live,
                session.expiresAtMicros,
                session.confirmed,
                state);
    }

    // ---- restarts

    List<StoreSnapshot.Binding> save() {
        List<StoreSnapshot.Binding> bindings = new ArrayList<>();
        byKey.forEach((session, key) -> bindings.add(session.save()));
        bindings.sort(Comparator.comparingLong(StoreSnapshot.Binding::key));
        return bindings;
    }

    void load(Session session) {
        byKey.put(session.key, session);
    }

    /** The record of a session, over or not. */
    @Nullable
    Session known(long key) {
        return byKey.get(key);
    }
}
