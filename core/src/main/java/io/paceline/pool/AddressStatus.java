package io.paceline.pool;

import io.paceline.Address;
import io.paceline.health.Standing;

/**
 * One address as an instance sees it, for people and metrics.
 *
 * @param live live leases
 * @param cap how many it may have now
 * @param weight what weighted selection goes by now
 * @param successRate over the window, 0 to 1
 * @param latencyMicros average of recent successes; 0 where unknown
 * @param p50Micros the median of recent successes; 0 where unknown
 * @param p95Micros their 95th percentile; 0 where unknown
 * @param latencyJump how many times its norm that is; 0 where unknown
 * @param uses leases granted through this instance
 * @param lastUsedMicros when it was last leased; 0 for never
 * @param cellsOut its cells that are out of service
 * @param checkedMicros when this instance probed it last; 0 for never
 * @param checkLatencyMicros how long a control URL took to answer through it when it last did; 0 where unknown
 */
public record AddressStatus(
        Address address,
        Standing standing,
        int live,
        int cap,
        double weight,
        double successRate,
        long latencyMicros,
        long p50Micros,
        long p95Micros,
        double latencyJump,
        long uses,
        long lastUsedMicros,
        int cellsOut,
        long checkedMicros,
        long checkLatencyMicros) {}
