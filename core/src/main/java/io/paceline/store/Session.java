package io.paceline.store;

/** The binding of a session key to an address: to its row, since a slot may get another owner. Guarded by the store's lock. */
final class Session {
    final Row address;
    long expiresAtMicros;
    /** Leases of the session that are live. */
    int live;
    /** A request has reached the address: the binding holds. Until then it lasts as long as its leases do. */
    boolean confirmed;
    /** The address is gone or was out for too long: stays so until the session is ended or over. */
    boolean ended;

    Session(Row address, long expiresAtMicros) {
        this.address = address;
        this.expiresAtMicros = expiresAtMicros;
    }

    /** True where the key may be bound anew. */
    boolean over(long nowMicros) {
        return expiresAtMicros <= nowMicros || (!confirmed && !ended && live == 0);
    }
}
