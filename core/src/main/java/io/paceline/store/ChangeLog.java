package io.paceline.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in an embedded store since the last increment, over all its tables. Costs a comparison a change while it is off.
 * Guarded by the store's lock.
 */
final class ChangeLog {
    /** Off forever: for tables that stand alone. */
    static ChangeLog off() {
        return new ChangeLog();
    }

    private final List<ChangeTrack<?>> tracks = new ArrayList<>();
    private final List<ChainTable> chains = new ArrayList<>();
    private List<StoreChange> told = new ArrayList<>();
    private boolean on;
    private byte current = ChangeTrack.EVEN;
    /** Of what was set aside: the track that is being told; behind the last one where all is. */
    private int trackNext;

    private boolean open;
    private @Nullable Owner owner;

    boolean isOn() {
        return on;
    }

    void turnOn() {
        on = true;
    }

    /** The mark of what is in the list that grows. */
    byte current() {
        return current;
    }

    /** The mark of what was set aside and is not told yet. */
    byte asideMark() {
        return (byte) (ChangeTrack.EVEN + ChangeTrack.ODD - current);
    }

    void add(ChangeTrack<?> track) {
        tracks.add(track);
    }

    void add(ChainTable chain) {
        chains.add(chain);
    }

    /** What the store itself does: see {@link MemoryStore}. */
    void of(Owner store) {
        owner = store;
    }

    /** Tables that are no chain's. */
    interface Owner {
        void touchAll();

        /** The leases of a session are about to lose it. */
        void touchLeasesOf(Session session);
    }

    /** Everything may be about to change. */
    void touchAll() {
        if (on) {
            chains.forEach(ChainTable::touchAll);
            if (owner != null) {
                owner.touchAll();
            }
        }
    }

    void unlisting(Session session) {
        if (on && session.live > 0 && owner != null) {
            owner.touchLeasesOf(session);
        }
    }

    void told(StoreChange change) {
        told.add(change);
    }

    // ---- an increment

    /** @throws IllegalStateException where the last one is not told to its end */
    void begin() {
        if (open) {
            throw new IllegalStateException("the increment before is not complete");
        }
        for (ChainTable chain : chains) {
            chain.tellHead();
        }
        for (ChangeTrack<?> track : tracks) {
            track.setAside();
        }
        current = asideMark();
        trackNext = 0;
        open = true;
    }

    /** The next changes of the increment; empty where it is complete. */
    List<StoreChange> next(int max) {
        while (told.size() < max && trackNext < tracks.size()) {
            if (tracks.get(trackNext).tellNext(max - told.size()) == 0) {
                trackNext++;
            }
        }
        open = trackNext < tracks.size();
        List<StoreChange> next = told;
        told = new ArrayList<>();
        return next;
    }
}
