package io.paceline.service.supply;

import org.jspecify.annotations.Nullable;

/**
 * How the supply of one pool stands.
 *
 * @param pool whose
 * @param source who is asked, without the key
 * @param below the low-water mark
 * @param budgetLeft how many addresses may be asked for at this moment
 * @param askedMicros when it was asked last; 0 for never
 * @param fault why the latest request gave nothing; null where it did
 */
public record SupplyState(
        String pool,
        String source,
        int below,
        int budgetLeft,
        long askedMicros,
        @Nullable String fault) {}
