package io.paceline.store;

import java.util.Arrays;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map from 64-bit hashes or ids to objects: open addressing with linear probing, and deletion that shifts back, so
 * that no tombstones gather in tables that live as long as the process.
 *
 * <p>About 24 bytes an entry at its fullest, against 80 of a {@code HashMap<Long, V>}. Keys must be well mixed. Not
 * thread-safe.
 */
public final class LongMap<V> {
    private static final int SMALLEST = 16;

    /** Empty places that one step of a walk passes at most. */
    private static final int STRIDE = 8;

    private long[] keys = new long[SMALLEST];
    private @Nullable Object[] values = new @Nullable Object[SMALLEST];
    private int size;

    /** A key for a pair: keys of one slot, or of one target, must not fall on neighbouring places. */
    public static long keyOf(int slot, long target) {
        long x = target + (slot + 1) * 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        return x ^ (x >>> 27);
    }

    public int size() {
        return size;
    }

    public @Nullable V get(long key) {
        for (int i = home(key); ; i = next(i)) {
            // Keys first, to touch one array only on the way; an empty place may show any key, and holds null.
            if (keys[i] == key || values[i] == null) {
                return cast(values[i]);
            }
        }
    }

    public void put(long key, V value) {
        if (2 * (size + 1) > keys.length) {
            resize(keys.length * 2);
        }
        int i = home(key);
        while (values[i] != null && keys[i] != key) {
            i = next(i);
        }
        if (values[i] == null) {
            size++;
        }
        keys[i] = key;
        values[i] = value;
    }

    /** The value that was there before, which stays; null where there was none. */
    public @Nullable V putIfAbsent(long key, V value) {
        V before = get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    public @Nullable V remove(long key) {
        int i = home(key);
        while (values[i] != null && keys[i] != key) {
            i = next(i);
        }
        V removed = cast(values[i]);
        if (removed != null) {
            size--;
            closeGap(i);
            if (keys.length > SMALLEST && 8 * size < keys.length) {
                resize(keys.length / 2);
            }
        }
        return removed;
    }

    /** Visits every entry, in no order that means anything. The map must not change meanwhile. */
    public void forEach(ObjLongConsumer<V> visitor) {
        for (int i = 0; i < keys.length; i++) {
            V value = cast(values[i]);
            if (value != null) {
                visitor.accept(value, keys[i]);
            }
        }
    }

    /**
     * A walk over the table in small steps: visits the entry at or after the place given and returns the place after it.
     * Start at 0; the walk begins anew by itself. What changes during a walk may be missed once or seen twice.
     */
    public int visitNext(int place, ObjLongConsumer<V> visitor) {
        int i = place & (keys.length - 1);
        for (int steps = 0; steps < STRIDE; steps++) {
            V value = cast(values[i]);
            if (value != null) {
                visitor.accept(value, keys[i]);
                return next(i);
            }
            i = next(i);
        }
        return i;
    }

    /**
     * Visits entries until the visitor has had enough: a page of the table. What changes between two pages may be missed or
     * seen twice.
     *
     * @param from 0, or what the page before returned
     * @param visitor returns true to go on
     * @return where the next page begins, or -1 after the last entry
     */
    public long visitFrom(long from, Visitor<V> visitor) {
        for (long i = Math.max(0, from); i < keys.length; i++) {
            V value = cast(values[(int) i]);
            if (value != null && !visitor.visit(value, keys[(int) i])) {
                return i + 1;
            }
        }
        return -1;
    }

    /** Sees one entry after another. */
    @FunctionalInterface
    public interface Visitor<V> {
        boolean visit(V value, long key);
    }

    /** Moves later entries of the same run back, so that a search never stops too early. */
    private void closeGap(int start) {
        int gap = start;
        for (int i = next(gap); values[i] != null; i = next(i)) {
            int distanceFromHome = (i - home(keys[i])) & (keys.length - 1);
            int distanceFromGap = (i - gap) & (keys.length - 1);
            if (distanceFromHome >= distanceFromGap) {
                keys[gap] = keys[i];
                values[gap] = values[i];
                gap = i;
            }
        }
        values[gap] = null;
    }

    private void resize(int capacity) {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[capacity];
        values = new @Nullable Object[capacity];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int j = home(oldKeys[i]);
                while (values[j] != null) {
                    j = next(j);
                }
                keys[j] = oldKeys[i];
                values[j] = oldValues[i];
            }
        }
    }

    public void clear() {
        Arrays.fill(values, null);
        size = 0;
    }

    private int home(long key) {
        // Fibonacci hashing: spreads keys whose low bits alone are poor.
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
    }

    private int next(int i) {
        return (i + 1) & (keys.length - 1);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <V> @Nullable V cast(@Nullable Object value) {
        return (V) value;
    }
}
