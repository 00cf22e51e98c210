package io.paceline.pool;

/**
 * What a pool does differently for one {@code task}.
 *
 * @param strategy the strategy in place of the pool's own
 */
public record TaskSettings(Strategy strategy) {}
