package io.paceline;

import io.paceline.health.SubjectRow;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
import io.paceline.store.SessionRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one address in one pool at one moment: for people who ask why.
 *
 * @param pool the pool's name
 * @param status the address as this instance sees it
 * @param parts what its weight is made of
 * @param row standing and window of the address, from the store
 * @param cells its cells on the targets that this instance has routed to and the store remembers
 * @param guilty whose fault failures of this address are, at this moment: they are not held against it
 * @param nowMicros the time of the look
 */
public record Inspection(
        String pool,
        AddressStatus status,
        WeightParts parts,
        SubjectRow row,
        List<Cell> cells,
        List<Group> guilty,
        long nowMicros) {

    /** The address on one target. */
    public record Cell(String target, SubjectRow row) {}

    /**
     * A target, a tag or our own side that is held guilty.
     *
     * @param name the target, the tag as {@code provider=acme}, or the pool
     */
    public record Group(Guilty kind, String name, long sinceMicros) {}

    /**
     * Where a session lives.
     *
     * @param pool the pool that was asked
     * @param servedBy the pool of its address: the same or a fallback; null where a reload has removed that
     * @param addressId its address; null where that is in no list any more
     * @param untilMicros when the binding ends, unless it is renewed by use
     * @param live its live leases
     * @param confirmed a request has reached the address: the binding holds
     * @param state whether it can be used
     */
    public record Binding(
            String pool,
            @Nullable String servedBy,
            @Nullable String addressId,
            long untilMicros,
            int live,
            boolean confirmed,
            SessionRow.State state) {}

    public Inspection {
        cells = List.copyOf(cells);
        guilty = List.copyOf(guilty);
    }
}
