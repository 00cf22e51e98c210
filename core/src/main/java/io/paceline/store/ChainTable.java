package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.store.AddressRow.Groups;
import io.paceline.store.Changes.Change;
import io.paceline.store.SharedAddresses.Occupancy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One chain of the embedded store: its slot table, cells, sessions, waits and change feed. Guarded by the store's lock.
 */
final class ChainTable {
    /** A cell that is healthy and has not been used for so long is forgotten. */
    private static final long CELL_IDLE_MICROS = 3_600_000_000L;

    /** Changes that the feed remembers; who has missed more reads the whole table. */
    private static final int FEED = 4_096;

    /** A wait that was handed out and not acted upon is handed out again after this time. */
    private static final long CLAIM_MICROS = 5_000_000;

    /** Shared by all cells that were never judged. */
    private static final Standing FRESH_CELL = Standing.fresh(0, 0);

    final int id;
    /** By slot; a tombstone is a row that is removed: its owner, should it return, finds slot, standing and leases again. */
    private final List<AddressRow> slots = new ArrayList<>();

    /** By identity: the row of its slot. */
    private final RowIndex rowOf = new RowIndex();

    private final LongMap<CellRow> cells = new LongMap<>();
    private final LatencyPages latencies = new LatencyPages();
    final Sessions sessions;
    /** By slot: whoever stands in other pools too. */
    private final LongMap<Occupancy> shared = new LongMap<>();

    final Tallies tallies;
    private final Census census = new Census();

    /** Active probes under way, by slot. */
    private final LongMap<ProbeHold> probes = new LongMap<>();

    private int probeSweepPlace;

    private final PriorityQueue<WaitItem> waits = new PriorityQueue<>();
    private final List<Due.Expired> expired = new ArrayList<>();

    private final long[] feed = new long[2 * FEED];
    private long version;
    /** The feed knows nothing of what came before: a restart has emptied it. */
    private long feedFrom;

    private int sweepPlace;

    private final ChangeLog log;
    private final ChangeTrack<AddressRow> changedAddresses;
    private final ChangeTrack<CellRow> changedCells;
    /** Version or expired leases are not what an increment has told of. */
    private boolean headChanged = true;

    /** Of whose changes nobody is told. */
    ChainTable(int id) {
        this(id, ChangeLog.off());
    }

    ChainTable(int id, ChangeLog log) {
        this.id = id;
        this.log = log;
        sessions = new Sessions(id, log);
        tallies = new Tallies(id, log);
        // A slot is never empty again: there is nothing to tell of one that has gone.
        changedAddresses =
                new ChangeTrack<>(log, (row, slot) -> new StoreChange.OfAddress(id, saved(row)), slot -> head());
        changedCells = new ChangeTrack<>(
                log,
                (cell, key) -> new StoreChange.OfCell(id, cell.save()),
                key -> new StoreChange.Gone(StoreChange.Kind.CELL, id, key));
        log.add(this);
    }

    private record ProbeHold(long claimer, long untilMicros) {}

    private record WaitItem(long atMicros, Row row, Standing standing) implements Comparable<WaitItem> {
        @Override
        public int compareTo(WaitItem other) {
            return Long.compare(atMicros, other.atMicros);
        }
    }

    // ---- rows

    @Nullable
    AddressRow row(int slot) {
        if (slot < 0 || slot >= slots.size()) {
            return null;
        }
        AddressRow row = slots.get(slot);
        return row.removed ? null : row;
    }

    /** The row of a slot that there is, removed or not. */
    AddressRow known(int slot) {
        return slots.get(slot);
    }

    /** Whether the row is that of an address in the list: not of one that was removed, or whose slot has another owner. */
    @SuppressWarnings("ReferenceEquality")
    boolean serves(AddressRow address) {
        return row(address.slot) == address;
    }

    /** The address that sits in a slot, or was the last to. */
    long identity(int slot) {
        return slots.get(slot).identity();
    }

    /**
     * Whether a session bound to this row has lost its address for good.
     *
     * @param cell the address on the session's target, where the store has a row of it
     */
    boolean lost(AddressRow address, @Nullable CellRow cell) {
        return !serves(address) || address.standing.gone() || (cell != null && cell.standing.gone());
    }

    @Nullable
    CellRow cellIfKnown(int slot, long target) {
        return cells.get(LongMap.keyOf(slot, target));
    }

    CellRow cell(int slot, long target, long nowMicros) {
        long key = LongMap.keyOf(slot, target);
        CellRow cell = cells.get(key);
        if (cell == null) {
            cell = new CellRow(slot, target, FRESH_CELL, nowMicros);
            cells.put(key, cell);
            changedCells.touch(cell, key);
            sweepPlace = cells.visitNext(sweepPlace, (old, oldKey) -> forgetIdle(old, oldKey, nowMicros));
        }
        return cell;
    }

    private void forgetIdle(CellRow cell, long key, long nowMicros) {
        if (cell.forgettable(nowMicros, CELL_IDLE_MICROS)) {
            changedCells.gone(cell, key);
            cells.remove(key);
        }
    }

    SlotRows rows(int slot, List<Long> targets) {
        AddressRow address = row(slot);
        Map<Long, SubjectRow> known = new LinkedHashMap<>();
        for (long target : targets) {
            CellRow cell = address == null ? null : cellIfKnown(slot, target);
            if (cell != null) {
                known.put(target, cell.snapshot());
            }
        }
        return address == null
                ? new SlotRows(null, Map.of(), Map.of())
                : new SlotRows(address.snapshot(), known, tallies.guiltyFor(address, targets));
    }

    int members() {
        return census.members();
    }

    /** Where the latencies of its addresses stand. */
    LatencyPages latencies() {
        return latencies;
    }

    // ---- addresses that stand in other pools too

    /** Owners of the slots, tombstones included. */
    List<Long> identities() {
        return slots.stream().map(AddressRow::identity).toList();
    }

    /** Counts the address's leases with those of other pools; false where it is not here, or is so already. */
    boolean share(long identity, Occupancy occupancy) {
        AddressRow row = rowOf.get(identity);
        if (row == null || occupancy.equals(shared.get(row.slot))) {
            return false;
        }
        shared.put(row.slot, occupancy);
        return true;
    }

    /** What counts the leases of the row's address in all its pools; null where it stands in this one alone. */
    @Nullable
    Occupancy occupancy(AddressRow address) {
        return shared.size() == 0 || !holds(address) ? null : shared.get(address.slot);
    }

    /** Live leases of an address, over all its pools. */
    int liveOn(AddressRow address) {
        Occupancy occupancy = occupancy(address);
        return occupancy == null ? address.live() : occupancy.live(0);
    }

    /** Live leases of an address on a target, over all its pools; {@code cell} is its row there, if the store has one. */
    int liveOn(AddressRow address, @Nullable CellRow cell, long target) {
        Occupancy occupancy = occupancy(address);
        return occupancy != null ? occupancy.live(target) : cell == null ? 0 : cell.live();
    }

    // ---- members

    Enrolled enrol(List<Enrollee> wanted, long nowMicros) {
        log.touchAll(); // rows, and whatever is bound to rows that lose their slots
        Set<Long> keep = new LinkedHashSet<>();
        wanted.forEach(member -> keep.add(member.identity()));
        for (AddressRow row : slots) {
            if (!row.removed && !keep.contains(row.identity())) {
                setRemoved(row, true);
            }
        }
        // Who returns comes first: a new owner must not take the slot of an address that this very list brings back.
        wanted.forEach(member -> takeBack(member.identity()));
        List<Integer> seats = new ArrayList<>(wanted.size());
        List<SubjectRow> rows = new ArrayList<>(wanted.size());
        Map<Groups, Groups> groups = new HashMap<>();
        Tombstones free = new Tombstones();
        BitSet reused = new BitSet();
        // A new owner is a new epoch, above all that were: what the old owner's leases still report trains nothing.
        Standing fresh = Standing.fresh((int) version + 1, nowMicros);
        for (Enrollee member : wanted) {
            AddressRow row = seat(member, groups(member, groups), fresh, free, reused, nowMicros);
            seats.add(row.slot);
            rows.add(row.snapshot());
        }
        forgetCellsOf(reused);
        return new Enrolled(seats, rows, slots.size(), version);
    }

    /** The one object that stands for these groups: as a rule many addresses have both in common. */
    private static Groups groups(Enrollee member, Map<Groups, Groups> known) {
        return known.computeIfAbsent(new Groups(member.tag(), member.otherTag()), own -> own);
    }

    private void takeBack(long identity) {
        AddressRow before = rowOf.get(identity);
        if (before != null && before.removed) {
            setRemoved(before, false);
        }
    }

    private void setRemoved(AddressRow row, boolean removed) {
        census.change(row, () -> row.removed = removed);
        announce(row.slot, 0);
    }

    private AddressRow seat(
            Enrollee member, Groups groups, Standing fresh, Tombstones free, BitSet reused, long nowMicros) {
        AddressRow before = rowOf.get(member.identity());
        if (before != null) {
            before.ownedBy(member.identity(), groups);
            return before;
        }
        int slot = free.next();
        AddressRow row = new AddressRow(slot, fresh, nowMicros);
        row.ownedBy(member.identity(), groups);
        if (slot == slots.size()) {
            slots.add(row);
        } else {
            changedAddresses.replaced(slots.get(slot), slot);
            rowOf.remove(slots.get(slot).identity());
            census.forget(slot);
            reused.set(slot);
            shared.remove(slot);
            slots.set(slot, row);
        }
        rowOf.put(row);
        changedAddresses.touch(row, slot);
        census.add(row);
        announce(slot, 0);
        return row;
    }

    /** Slots that are free for new owners, lowest first: each is looked at once an enrolment. */
    private final class Tombstones {
        private int next;

        int next() {
            while (next < slots.size()
                    && !(slots.get(next).removed && slots.get(next).live() == 0)) {
                next++;
            }
            return next;
        }
    }

    /** One pass for all: a reload may replace a whole list. */
    private void forgetCellsOf(BitSet reused) {
        if (reused.isEmpty()) {
            return;
        }
        List<Long> keys = new ArrayList<>();
        cells.forEach((cell, key) -> {
            if (reused.get(cell.slot)) {
                changedCells.gone(cell, key);
                keys.add(key);
            }
        });
        for (long key : keys) {
            cells.remove(key);
        }
    }

    // ---- standings

    Shifted shift(Shift shift, long nowMicros) {
        AddressRow address = row(shift.slot());
        if (address == null) {
            return new Shifted.Gone();
        }
        Row row = shift.target() == 0 ? address : cell(shift.slot(), shift.target(), nowMicros);
        if (!row.standing.equals(shift.expected())) {
            return new Shifted.Stale(row.snapshot());
        }
        boolean leaves = row.standing.inService() && !shift.to().inService();
        if (leaves && !census.allows(shift.budget(), row, address)) {
            return new Shifted.Capped();
        }
        touch(row);
        if (row instanceof CellRow cell) {
            census.change(cell, address, () -> cell.shift(shift.to()));
        } else {
            census.change(address, () -> address.shift(shift.to()));
        }
        await(row);
        announce(row.slot, row.target());
        return new Shifted.Applied(row.snapshot(), version);
    }

    // ---- active probes

    boolean claimProbe(ProbeClaim claim, long nowMicros) {
        AddressRow address = row(claim.slot());
        ProbeHold held = probes.get(LongMap.keyOf(claim.slot(), 0));
        if (address == null
                || address.live() > 0
                || (held != null && held.untilMicros() > nowMicros && held.claimer() != claim.claimer())) {
            return false;
        }
        boolean idle = address.standing.inService() && nowMicros - address.lastUsedMicros >= claim.idleMicros();
        if (!idle && !address.standing.halfOpen()) {
            return false;
        }
        probes.put(LongMap.keyOf(claim.slot(), 0), new ProbeHold(claim.claimer(), nowMicros + claim.holdMicros()));
        probeSweepPlace = probes.visitNext(probeSweepPlace, (old, key) -> {
            if (old.untilMicros() <= nowMicros) {
                probes.remove(key);
            }
        });
        return true;
    }

    /** A half-open address that somebody is probing: a lease would be a second test at once. */
    boolean underProbe(AddressRow address, long nowMicros) {
        ProbeHold held = address.standing.halfOpen() ? probes.get(LongMap.keyOf(address.slot, 0)) : null;
        return held != null && held.untilMicros() > nowMicros;
    }

    // ---- feed

    private void announce(int slot, long target) {
        version++;
        headChanged = true;
        int place = (int) (version % FEED) * 2;
        feed[place] = slot;
        feed[place + 1] = target;
    }

    Changes changes(long since, int max, long nowMicros) {
        if (since < feedFrom || since < version - FEED + 1 || since > version) {
            return everything();
        }
        Set<List<Long>> subjects = new LinkedHashSet<>();
        long at = since;
        while (at < version && subjects.size() < max) {
            at++;
            int place = (int) (at % FEED) * 2;
            subjects.add(List.of(feed[place], feed[place + 1]));
        }
        List<Change> changes = new ArrayList<>();
        for (List<Long> subject : subjects) {
            changes.add(change(subject.get(0).intValue(), subject.get(1), nowMicros));
        }
        return new Changes(at, false, changes);
    }

    private Change change(int slot, long target, long nowMicros) {
        AddressRow address = row(slot);
        Row row = target == 0 ? address : cellIfKnown(slot, target);
        Row shown = row != null ? row : new CellRow(slot, target, Standing.fresh(0, nowMicros), nowMicros);
        return new Change(slot, target, address == null, shown.snapshot());
    }

    private Changes everything() {
        List<Change> changes = new ArrayList<>();
        for (AddressRow row : slots) {
            if (!row.removed) {
                changes.add(new Change(row.slot, 0, false, row.snapshot()));
            }
        }
        census.forEachCellOut(cell -> changes.add(new Change(cell.slot, cell.target, false, cell.snapshot())));
        return new Changes(version, true, changes);
    }

    // ---- increments

    /** The row of an address or a cell is about to change. */
    void touch(Row row) {
        if (row instanceof CellRow cell) {
            touch(cell);
        } else if (row instanceof AddressRow address) {
            touch(address);
        }
    }

    void touch(AddressRow address) {
        changedAddresses.touch(address, address.slot);
    }

    void touch(CellRow cell) {
        if (log.isOn()) {
            changedCells.touch(cell, LongMap.keyOf(cell.slot, cell.target));
        }
    }

    void touchAll() {
        slots.forEach(this::touch);
        cells.forEach(changedCells::touch);
        sessions.touchAll();
        tallies.touchAll();
        headChanged = true;
    }

    /** A lease has ended by itself, and somebody must be told. */
    void ended(Due.Expired lease, int most) {
        if (expired.size() >= most) {
            expired.remove(0);
        }
        expired.add(lease);
        headChanged = true;
    }

    void tellHead() {
        if (headChanged) {
            log.told(head());
            headChanged = false;
        }
    }

    private StoreChange head() {
        return new StoreChange.OfChain(id, version, expired);
    }

    // ---- restarts

    StoreSnapshot.Chain save() {
        List<StoreSnapshot.Slot> savedSlots = new ArrayList<>();
        for (AddressRow row : slots) {
            savedSlots.add(saved(row));
        }
        List<StoreSnapshot.Subject> savedCells = new ArrayList<>();
        cells.forEach((cell, key) -> savedCells.add(cell.save()));
        savedCells.sort(
                Comparator.comparingInt(StoreSnapshot.Subject::slot).thenComparingLong(StoreSnapshot.Subject::target));
        return new StoreSnapshot.Chain(id, version, savedSlots, savedCells, sessions.save(), tallies.save(), expired);
    }

    private static StoreSnapshot.Slot saved(AddressRow row) {
        return new StoreSnapshot.Slot(row.owner(), row.removed, row.save());
    }

    /** Whether the row is that of its slot, removed or not: the slot may have another owner by now. */
    @SuppressWarnings("ReferenceEquality")
    boolean holds(AddressRow address) {
        return slots.get(address.slot) == address;
    }

    /**
     * Takes the place of a fresh table's state, but for its sessions, whose addresses other chains may have. Who has read
     * the feed before reads everything: what it held is gone. Active probes that were under way are forgotten.
     */
    void load(StoreSnapshot.Chain saved) {
        Map<Groups, Groups> groups = new HashMap<>();
        for (StoreSnapshot.Slot slot : saved.slots()) {
            AddressRow row = AddressRow.of(slot.row(), latencies);
            row.removed = slot.removed();
            row.ownedBy(slot.owner().identity(), groups(slot.owner(), groups));
            slots.add(row);
            rowOf.put(row);
            census.add(row);
            await(row);
        }
        for (StoreSnapshot.Subject cell : saved.cells()) {
            CellRow row = CellRow.of(cell);
            cells.put(LongMap.keyOf(row.slot, row.target), row);
            census.add(row, slots.get(row.slot));
            await(row);
        }
        tallies.load(saved.tallies());
        expired.addAll(saved.expired());
        version = saved.version();
        feedFrom = version;
    }

    private void await(Row row) {
        if (row.standing.dueMicros() != 0) {
            waits.add(new WaitItem(row.standing.dueMicros(), row, row.standing));
        }
    }

    // ---- time

    Due due(int max, long leasesNextMicros, long nowMicros) {
        List<Due.Wait> over = new ArrayList<>();
        while (over.size() < max && !waits.isEmpty() && waits.peek().atMicros() <= nowMicros) {
            WaitItem item = waits.remove();
            Row row = item.row();
            // A standing that was replaced, or whose row has gone, is nobody's business any more.
            if (!row.standing.equals(item.standing()) || !known(row)) {
                continue;
            }
            // A tombstone's wait is kept for its return, and given to nobody until then.
            if (row(row.slot) != null) {
                over.add(new Due.Wait(row.slot, row.target(), row.snapshot()));
            }
            waits.add(new WaitItem(nowMicros + CLAIM_MICROS, row, row.standing));
        }
        int reported = Math.min(max, expired.size());
        List<Due.Expired> ended = List.copyOf(expired.subList(0, reported));
        expired.subList(0, reported).clear();
        headChanged |= reported > 0;
        sessions.forgetOne(nowMicros);
        long waitsNext = waits.isEmpty() ? Long.MAX_VALUE : waits.peek().atMicros();
        return new Due(over, ended, Math.min(waitsNext, leasesNextMicros), nowMicros);
    }

    /** Still the row of its slot, tombstones included, or cell: identity is the question, another row may look alike. */
    @SuppressWarnings("ReferenceEquality")
    private boolean known(Row row) {
        return row instanceof AddressRow address ? holds(address) : cellIfKnown(row.slot, row.target()) == row;
    }
}
