package io.paceline.service.supply;

import org.jspecify.annotations.Nullable;

/**
 * How one fetched list stands.
 *
 * @param pool whose addresses it lists
 * @param source where it comes from, without its key
 * @param addresses how many it has
 * @param badLines how many of its lines cannot be read
 * @param fetchedMicros when the server last gave it, or said that it is unchanged; 0 for never
 * @param fault why the latest try gave nothing; null where it did
 */
public record ListState(
        String pool,
        String source,
        int addresses,
        int badLines,
        long fetchedMicros,
        @Nullable String fault) {}
