package io.paceline.service.config;

import io.paceline.pool.PoolSettings;
import java.util.List;

/** A pool whose addresses have no ids yet. */
record PoolDraft(PoolSettings settings, List<AddressDraft> addresses) {
    PoolDraft {
        addresses = List.copyOf(addresses);
    }
}
