package io.paceline.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in one table of an embedded store since the last increment: each thing once, as it was when the increment
 * began.
 *
 * <p>Whoever changes a thing touches it <em>before</em>. An increment begins by setting the list of what was touched aside, which
 * takes no time, and tells it in small steps afterwards; a thing that is about to change before its turn has come is told first
 * (copy on write). So an increment is one instant of the whole store, and no request waits while it is written down.
 *
 * <pre>
 *   mark           means
 *   -------------  -------------------------------------------------------------
 *   UNLISTED       nothing to tell
 *   EVEN, ODD      in the list that grows, or in the one that was set aside: they take turns
 *   GONE           in its table no more: whatever still holds it changes it unseen
 *   TOLD (a bit)   an increment has told of it, so that its end must be told too
 * </pre>
 *
 * <p>Guarded by the store's lock.
 */
final class ChangeTrack<T extends Tracked> {
    static final byte UNLISTED = 0;
    static final byte EVEN = 1;
    static final byte ODD = 2;
    static final byte GONE = 3;
    private static final byte LIST = 3;
    private static final byte TOLD = 4;

    private static final int SMALLEST = 16;
    private static final Tracked[] NOTHING = new Tracked[0];

    /** Writes a thing down; null for what is not written down. */
    @FunctionalInterface
    interface Teller<T> {
        @Nullable
        StoreChange tell(T thing, long key);
    }

    /** Writes down that there is nothing under a key any more. */
    @FunctionalInterface
    interface GoneTeller {
        StoreChange tell(long key);
    }

    private final ChangeLog log;
    private final Teller<T> teller;
    private final GoneTeller goneTeller;

    private long[] keys = new long[0];
    private @Nullable Tracked[] things = NOTHING;
    private int size;
    private long[] gone = new long[0];
    private int goneSize;

    private long[] asideKeys = new long[0];
    private @Nullable Tracked[] aside = NOTHING;
    private int asideSize;
    private int asideNext;

    ChangeTrack(ChangeLog log, Teller<T> teller, GoneTeller goneTeller) {
        this.log = log;
        this.teller = teller;
        this.goneTeller = goneTeller;
        log.add(this);
    }

    /** The thing is about to change, or is new. */
    void touch(T thing, long key) {
        if (log.isOn() && (thing.mark & LIST) != log.current()) {
            list(thing, key);
        }
    }

    private void list(T thing, long key) {
        int list = thing.mark & LIST;
        if (list == GONE) {
            return;
        }
        if (list != UNLISTED) {
            tell(thing, key);
        }
        thing.mark = (byte) ((thing.mark & TOLD) | log.current());
        if (size == things.length) {
            makeRoom();
        }
        keys[size] = key;
        things[size++] = thing;
    }

    /** The thing is about to leave its table. */
    void gone(T thing, long key) {
        forget(thing, key);
        if ((thing.mark & TOLD) != 0) {
            if (goneSize == gone.length) {
                gone = Arrays.copyOf(gone, Math.max(SMALLEST, 2 * goneSize));
            }
            gone[goneSize++] = key;
        }
        thing.mark = GONE;
    }

    /** Another thing is about to take its place under the same key. */
    void replaced(T thing, long key) {
        forget(thing, key);
        thing.mark = GONE;
    }

    private void forget(T thing, long key) {
        if ((thing.mark & LIST) == log.asideMark()) {
            tell(thing, key);
        }
    }

    /** Things that came and went between two increments leave no trace: a lease of some milliseconds costs a place for a while. */
    private void makeRoom() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Tracked thing = things[i];
            if (thing != null && (thing.mark & LIST) != GONE) {
                keys[kept] = keys[i];
                things[kept++] = thing;
            }
        }
        Arrays.fill(things, kept, size, null);
        size = kept;
        if (2 * kept >= things.length) {
            int wider = Math.max(SMALLEST, 2 * things.length);
            keys = Arrays.copyOf(keys, wider);
            things = Arrays.copyOf(things, wider);
        }
    }

    private void tell(T thing, long key) {
        StoreChange change = teller.tell(thing, key);
        thing.mark = change == null ? UNLISTED : TOLD;
        if (change != null) {
            log.told(change);
        }
    }

    // ---- an increment

    /** What was touched so far is set aside; what has gone is told at once, before anything comes in its place. */
    void setAside() {
        for (int i = 0; i < goneSize; i++) {
            log.told(goneTeller.tell(gone[i]));
        }
        goneSize = 0;
        asideKeys = keys;
        aside = things;
        asideSize = size;
        asideNext = 0;
        keys = new long[0];
        things = NOTHING;
        size = 0;
    }

    /** Tells at most so many more of what was set aside; how many it looked at. */
    @SuppressWarnings("unchecked") // only things of this table come in
    int tellNext(int max) {
        int from = asideNext;
        int to = Math.min(asideSize, from + max);
        while (asideNext < to) {
            int i = asideNext++;
            T thing = (T) aside[i];
            if (thing != null && (thing.mark & LIST) == log.asideMark()) {
                tell(thing, asideKeys[i]);
            }
        }
        if (asideNext == asideSize) {
            asideKeys = new long[0];
            aside = NOTHING;
            asideSize = 0;
            asideNext = 0;
        }
        return to - from;
    }
}
