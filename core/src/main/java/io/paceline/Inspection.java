package io.paceline;

import io.paceline.health.SubjectRow;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
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
 * @param nowMicros the time of the look
 */
public record Inspection(
        String pool, AddressStatus status, WeightParts parts, SubjectRow row, List<Cell> cells, long nowMicros) {

    /** The address on one target. */
    public record Cell(String target, SubjectRow row) {}

    /**
     * Where a session lives.
     *
     * @param pool the pool that was asked
     * @param addressId its address; null where that has left the pool
     * @param untilMicros when the binding ends, unless it is renewed by use
     * @param live its live leases
     * @param confirmed a request has reached the address: the binding holds
     * @param ended the address was gone or out for too long; true until the session is ended or over
     */
    public record Binding(
            String pool, @Nullable String addressId, long untilMicros, int live, boolean confirmed, boolean ended) {}

    public Inspection {
        cells = List.copyOf(cells);
    }
}
