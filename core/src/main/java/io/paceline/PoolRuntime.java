package io.paceline;

import com.dynatrace.hash4j.hashing.Hashing;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.PoolView;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A pool at work: its chain in the store, and this instance's view of it. */
final class PoolRuntime {
    final String name;
    final int chain;
    final PoolView view;
    final Incidents incidents = new Incidents();
    final ChangeFeed feed;
    private @Nullable LongPredicate home;
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

    /** Told again and again; the view, of many addresses, hears of it only where it has changed. */
    @SuppressWarnings("ReferenceEquality") // another share is another object
    void shares(@Nullable LongPredicate share) {
        if (share != home) {
            home = share;
            view.home(share == null ? null : address -> share.test(EmbeddedGatekeeper.hash(address.id())));
        }
    }

    PoolSettings settings() {
        return view.settings();
    }
}
