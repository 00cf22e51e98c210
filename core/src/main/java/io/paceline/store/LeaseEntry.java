package io.paceline.store;

import io.paceline.pace.Charge;
import io.paceline.store.SharedAddresses.Occupancy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One live lease of the embedded store, a link of its {@link LeaseWheel}. Guarded by the store's lock. */
final class LeaseEntry extends Tracked {
    final long id;
    final ChainTable chain;
    final AddressRow address;
    final CellRow cell;
    final int addressEpoch;
    final int cellEpoch;
    /** False for a permit that needs no release: it is remembered for repeats alone and occupies nothing. */
    final boolean occupies;

    final long grantedAtMicros;
    final List<Charge> charges;
    /** For each charge, what {@link Limit#take} returned: what a refund names. */
    final long[] marks;

    final @Nullable Session session;
    /** The answer tells the caller that his session has moved to this address. */
    final boolean migrated;

    long expiresAtMicros;
    /** What counts the address's leases over several pools, where it stands in several. */
    @Nullable
    Occupancy shared;

    @Nullable
    LeaseEntry previous;

    @Nullable
    LeaseEntry next;

    int bucket;

    LeaseEntry(
            long id,
            ChainTable chain,
            AddressRow address,
            CellRow cell,
            boolean occupies,
            long grantedAtMicros,
            long expiresAtMicros,
            List<Charge> charges,
            long[] marks,
            @Nullable Session session) {
        this(
                id,
                chain,
                address,
                cell,
                address.standing.epoch(),
                cell.standing.epoch(),
                occupies,
                grantedAtMicros,
                expiresAtMicros,
                charges,
                marks,
                session,
                session != null && session.tellsOfMigration());
    }

    /** A lease that began in the epochs given. */
    LeaseEntry(
            long id,
            ChainTable chain,
            AddressRow address,
            CellRow cell,
            int addressEpoch,
            int cellEpoch,
            boolean occupies,
            long grantedAtMicros,
            long expiresAtMicros,
            List<Charge> charges,
            long[] marks,
            @Nullable Session session,
            boolean migrated) {
        this.id = id;
        this.chain = chain;
        this.address = address;
        this.cell = cell;
        this.addressEpoch = addressEpoch;
        this.cellEpoch = cellEpoch;
        this.occupies = occupies;
        this.grantedAtMicros = grantedAtMicros;
        this.expiresAtMicros = expiresAtMicros;
        this.charges = charges;
        this.marks = marks;
        this.session = session;
        this.migrated = migrated;
    }

    /** The outcome may train: neither address nor cell has left or entered service since the lease began. */
    boolean current() {
        return addressEpoch == address.standing.epoch() && cellEpoch == cell.standing.epoch();
    }
}
