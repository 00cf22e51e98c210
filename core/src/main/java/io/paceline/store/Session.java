package io.paceline.store;

/** The binding of a session key to an address: to its row, since a slot may get another owner. Guarded by the store's lock. */
final class Session extends Tracked {
    /** Where it is listed, or was. */
    final Sessions list;

    final long key;

    /** The chain of the address, which may be a fallback's: the session itself is listed in its own pool's. */
    final ChainTable chain;

    final AddressRow address;
    /** Took the place of a binding to another address: whoever holds its first leases is told. */
    final boolean migrated;

    long expiresAtMicros;
    /** Leases of the session that are live. */
    int live;
    /** When the last of them ends by itself at the latest. */
    long leasesUntilMicros;
    /** A request has reached the address: the binding holds. Until then it lasts as long as its leases do. */
    boolean confirmed;
    /** Somebody who had the answer has come back from the address: a migration has been told. */
    boolean told;
    /** The address was lost: told so until the session is ended, re-pinned or over. */
    boolean ended;
    /** Asked for by a person: the next request goes to another address. */
    boolean repinned;

    Session(Sessions list, long key, ChainTable chain, AddressRow address, boolean migrated, long expiresAtMicros) {
        this.list = list;
        this.key = key;
        this.chain = chain;
        this.address = address;
        this.migrated = migrated;
        this.expiresAtMicros = expiresAtMicros;
    }

    /** True where the key may be bound anew. */
    boolean over(long nowMicros) {
        return expired(nowMicros) || provisional();
    }

    /** True where the record may go: of one that has moved, the next binding must still be told. */
    boolean forgettable(long nowMicros) {
        return expired(nowMicros) || (provisional() && !migrated);
    }

    boolean expired(long nowMicros) {
        return expiresAtMicros <= nowMicros;
    }

    private boolean provisional() {
        return !confirmed && !ended && !repinned && live == 0;
    }

    /** Every answer tells of the migration until one is known to have been heard. */
    boolean tellsOfMigration() {
        return migrated && !told;
    }

    /** Still in the list: neither ended, nor over and forgotten. */
    @SuppressWarnings("ReferenceEquality") // the key may have been bound anew
    boolean listed() {
        return list.known(key) == this;
    }

    StoreSnapshot.Binding save() {
        return new StoreSnapshot.Binding(
                key,
                chain.id,
                address.slot,
                !chain.holds(address),
                migrated,
                expiresAtMicros,
                leasesUntilMicros,
                confirmed,
                told,
                ended,
                repinned);
    }

    /** Without its live leases: they are counted as they are restored. */
    static Session of(StoreSnapshot.Binding saved, Sessions list, ChainTable chain, AddressRow address) {
        Session session = new Session(list, saved.key(), chain, address, saved.migrated(), saved.expiresAtMicros());
        session.leasesUntilMicros = saved.leasesUntilMicros();
        session.confirmed = saved.confirmed();
        session.told = saved.told();
        session.ended = saved.ended();
        session.repinned = saved.repinned();
        return session;
    }

    void occupy(long leaseEndsMicros) {
        leasesUntilMicros = live == 0 ? leaseEndsMicros : Math.max(leasesUntilMicros, leaseEndsMicros);
        live++;
    }
}
