package io.paceline.service.journal;

import io.paceline.store.MemoryStore;
import io.paceline.store.StoreChange;
import java.util.ArrayList;
import java.util.List;

/**
 * One increment of the store as the octets that are to be written, kept until they are.
 *
 * @param whole it begins a segment
 * @param changes how many records
 */
record Increment(boolean whole, int changes, List<byte[]> frames, long octets) {
    /** The store is held up for so many records at a time: less than a tenth of a millisecond. */
    private static final int SLICE = 128;

    private static final int FRAME = 1 << 16;

    static Increment take(MemoryStore store, boolean whole) {
        long now = store.beginIncrement(whole);
        OctetWriter payload = new OctetWriter(FRAME + FRAME / 4);
        ChangeWriter writer = new ChangeWriter(payload);
        List<byte[]> frames = new ArrayList<>();
        int changes = 0;
        for (List<StoreChange> some = store.nextChanges(SLICE); !some.isEmpty(); some = store.nextChanges(SLICE)) {
            changes += some.size();
            for (StoreChange change : some) {
                writer.write(change);
                if (payload.size() >= FRAME) {
                    close(payload, frames);
                }
            }
        }
        if (payload.size() > 0) {
            close(payload, frames);
        }
        if (changes > 0 || whole) {
            frames.add(Frame.end(now));
        }
        return new Increment(
                whole, changes, frames, frames.stream().mapToLong(f -> f.length).sum());
    }

    /** Reads one that could not be taken to its end. */
    static void abandon(MemoryStore store) {
        while (!store.nextChanges(SLICE).isEmpty()) {
            // It is told anew.
        }
    }

    private static void close(OctetWriter payload, List<byte[]> frames) {
        frames.add(Frame.of(Frame.CHANGES, payload.copy()));
        payload.clear();
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }
}
