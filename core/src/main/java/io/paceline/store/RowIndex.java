package io.paceline.store;

import org.jspecify.annotations.Nullable;

/**
 * Finds the row of an address by its identity, which the row itself knows: 8 to 16 bytes an address, where a {@link LongMap}
 * would keep the identity once more. Open addressing with linear probing, as there. Guarded by the store's lock.
 */
final class RowIndex {
    private static final int SMALLEST = 16;

    private @Nullable AddressRow[] rows = new @Nullable AddressRow[SMALLEST];
    private int size;

    @Nullable
    AddressRow get(long identity) {
        return rows[placeOf(identity)];
    }

    void put(AddressRow row) {
        if (2 * (size + 1) > rows.length) {
            grow();
        }
        int place = placeOf(row.identity());
        size += rows[place] == null ? 1 : 0;
        rows[place] = row;
    }

    void remove(long identity) {
        int gap = placeOf(identity);
        if (rows[gap] == null) {
            return;
        }
        size--;
        rows[gap] = null;
        // Whoever stood behind it may have been pushed aside by it: each finds its place anew.
        int place = next(gap);
        for (AddressRow behind = rows[place]; behind != null; behind = rows[place]) {
            rows[place] = null;
            rows[placeOf(behind.identity())] = behind;
            place = next(place);
        }
    }

    private void grow() {
        @Nullable AddressRow[] before = rows;
        rows = new @Nullable AddressRow[2 * before.length];
        for (AddressRow row : before) {
            if (row != null) {
                rows[placeOf(row.identity())] = row;
            }
        }
    }

    /** Where the row stands, or the empty place where it would. */
    private int placeOf(long identity) {
        int place = (int) ((identity * 0x9E3779B97F4A7C15L) >>> 32) & (rows.length - 1);
        for (AddressRow there = rows[place]; there != null && there.identity() != identity; there = rows[place]) {
            place = next(place);
        }
        return place;
    }

    private int next(int place) {
        return (place + 1) & (rows.length - 1);
    }
}
