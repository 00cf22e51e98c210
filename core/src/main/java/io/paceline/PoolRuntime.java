package io.paceline;

import com.dynatrace.hash4j.hashing.Hashing;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.PoolView;

/** A pool at work: its chain in the store, and this instance's view of it. */
final class PoolRuntime {
    final String name;
    final int chain;
    final PoolView view;
    final Incidents incidents = new Incidents();
    final ChangeFeed feed;
    /** When the store has work again, as it said last. */
    volatile long nextDueMicros = Long.MAX_VALUE;

    PoolRuntime(PoolSettings settings) {
        this.name = settings.name();
        this.chain = chainOf(settings.name());
        this.view = new PoolView(settings);
        this.feed = new ChangeFeed(chain);
    }

    static int chainOf(String name) {
        return (int) Hashing.komihash5_0().hashCharsToLong(name);
    }

    PoolSettings settings() {
        return view.settings();
    }
}
