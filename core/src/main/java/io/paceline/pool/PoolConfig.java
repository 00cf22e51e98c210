package io.paceline.pool;

import io.paceline.Address;
import java.util.List;

/** A pool with its addresses, in the order in which they were listed. */
public record PoolConfig(PoolSettings settings, List<Address> addresses) {
    public PoolConfig {
        addresses = List.copyOf(addresses);
    }
}
