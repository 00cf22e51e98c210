package io.paceline.store;

import java.util.List;
import java.util.Objects;

/**
 * One thing in an embedded store that is not as it was: what it is now, as a whole, or that it is gone. Parts of a
 * {@link StoreSnapshot}, told one by one; {@link StoreImage} puts them together again.
 */
public sealed interface StoreChange {

    /** What is under a key no more. */
    enum Kind {
        CELL,
        SESSION,
        TALLY,
        LEASE,
        LIMIT,
        TICKET
    }

    /** What a chain has besides its tables. */
    record OfChain(int chain, long version, List<Due.Expired> expired) implements StoreChange {
        public OfChain {
            expired = List.copyOf(expired);
        }
    }

    record OfAddress(int chain, StoreSnapshot.Slot slot) implements StoreChange {}

    record OfCell(int chain, StoreSnapshot.Subject row) implements StoreChange {}

    record OfSession(int chain, StoreSnapshot.Binding binding) implements StoreChange {}

    record OfTally(int chain, StoreSnapshot.TallyState tally) implements StoreChange {}

    record OfLease(StoreSnapshot.Lease lease) implements StoreChange {}

    record OfLimit(StoreSnapshot.LimitState limit) implements StoreChange {}

    record OfTicket(StoreSnapshot.Reservation ticket) implements StoreChange {}

    /**
     * It is gone.
     *
     * @param chain of a cell, a session, a tally; else 0
     * @param key of a cell {@link LongMap#keyOf}; else what the thing is listed under
     */
    record Gone(Kind kind, int chain, long key) implements StoreChange {
        public Gone {
            Objects.requireNonNull(kind, "kind");
        }
    }
}
