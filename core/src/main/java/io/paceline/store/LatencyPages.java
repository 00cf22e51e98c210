package io.paceline.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pages of {@link Latencies} of one chain, made as their first address needs one. Guarded by the store's lock. */
final class LatencyPages {
    private final List<@Nullable Latencies> pages = new ArrayList<>();

    /** The page of the slot, on which nothing stands under it any more: whoever had the slot before is forgotten. */
    Latencies open(int slot) {
        int number = slot / Latencies.ADDRESSES;
        while (pages.size() <= number) {
            pages.add(null);
        }
        Latencies page = pages.get(number);
        if (page == null) {
            page = new Latencies();
            pages.set(number, page);
        }
        page.erase(slot);
        return page;
    }
}
