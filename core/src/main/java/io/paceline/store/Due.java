package io.paceline.store;

import io.paceline.health.SubjectRow;
import java.util.List;

/**
 * Work that time has made due, each item handed to one caller only.
 *
 * @param waits subjects whose standing has come to its end
 * @param expired leases that ended by themselves
 * @param nextMicros when to ask again; {@link Long#MAX_VALUE} where nothing is waiting
 */
public record Due(List<Wait> waits, List<Expired> expired, long nextMicros, long nowMicros) {

    /** A subject whose standing has come to its end; {@code target} 0 for the address as a whole. */
    public record Wait(int slot, long target, SubjectRow row) {}

    /** A lease that ended by itself; {@code live} leases are left on the address. */
    public record Expired(long leaseId, int slot, long target, int live, int revision) {}
}
