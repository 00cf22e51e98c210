package io.paceline.service.reload;

import io.paceline.pool.PoolConfig;
import io.paceline.service.config.ServiceConfig;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What runs, and goes by another configuration when it is told to. */
public interface Live {

    /**
     * Goes by another configuration as a whole; counters, health, sessions and leases stay.
     *
     * @param pools its pools, with all their addresses
     */
    CompletionStage<Void> apply(ServiceConfig config, List<PoolConfig> pools);

    /** How many addresses of a pool are in service; 0 where there is no such pool. */
    int inService(String pool);
}
