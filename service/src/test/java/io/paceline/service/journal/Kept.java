package io.paceline.service.journal;

import io.paceline.Ticker;
import io.paceline.pace.Charge;
import io.paceline.store.MemoryStore;
import io.paceline.store.StoreSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A store with its journal in a folder, as tests hold it: they flush, kill and open again themselves. */
final class Kept implements AutoCloseable {
    static final JournalSettings BY_HAND =
            new JournalSettings(true, Duration.ofMinutes(1), JournalSettings.Fsync.NEVER);
    static final long ROLL_SOON = 20_000;

    final Journal journal;
    final MemoryStore store;

    private Kept(Journal journal, Ticker ticker) {
        this.journal = journal;
        this.store = journal.store(ticker);
        journal.begin(store);
    }

    static Kept open(Path data, Ticker ticker) {
        return open(data, ticker, Disk.real(), BY_HAND);
    }

    static Kept open(Path data, Ticker ticker, Disk disk, JournalSettings settings) {
        try {
            return new Kept(Journal.open(data, settings, disk, ROLL_SOON), ticker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a kill does it: nothing more is written. */
    void kill() {
        journal.abandon();
    }

    @Override
    public void close() {
        journal.close();
    }

    /** What a journal keeps of a snapshot: of charges everything but their keys; and not that time went by while nothing else did. */
    StoreSnapshot snapshot() {
        return withoutKeys(store.snapshot());
    }

    private static StoreSnapshot withoutKeys(StoreSnapshot from) {
        return new StoreSnapshot(
                0,
                from.chains(),
                from.leases().stream().map(Kept::withoutKeys).toList(),
                from.limits(),
                from.tickets().stream().map(Kept::withoutKeys).toList());
    }

    private static StoreSnapshot.Lease withoutKeys(StoreSnapshot.Lease lease) {
        return new StoreSnapshot.Lease(
                lease.id(),
                lease.chain(),
                lease.slot(),
                lease.target(),
                lease.addressEpoch(),
                lease.cellEpoch(),
                lease.occupies(),
                lease.grantedAtMicros(),
                lease.expiresAtMicros(),
                withoutKeys(lease.charges()),
                lease.marks(),
                lease.ofSession(),
                lease.sessionChain(),
                lease.session(),
                lease.migrated());
    }

    private static StoreSnapshot.Reservation withoutKeys(StoreSnapshot.Reservation ticket) {
        return new StoreSnapshot.Reservation(
                ticket.id(),
                withoutKeys(ticket.charges()),
                ticket.marks(),
                withoutKeys(List.of(ticket.binding())).get(0),
                ticket.atMicros(),
                ticket.useByMicros());
    }

    private static List<Charge> withoutKeys(List<Charge> charges) {
        return charges.stream()
                .map(charge -> new Charge(
                        charge.rule(),
                        charge.isLow() ? "||low" : "",
                        charge.hash(),
                        charge.spec(),
                        charge.maxWaitMicros(),
                        charge.dryRun(),
                        charge.scope(),
                        charge.reserves(),
                        charge.cost()))
                .toList();
    }
}
