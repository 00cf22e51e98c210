package io.paceline.store;

import io.paceline.health.Budget;
import io.paceline.health.Standing;

/**
 * A change of standing, by compare-and-set.
 *
 * @param slot the address
 * @param target 0 for the address as a whole, else the target's hash: the cell
 * @param expected the standing from which the decision was taken; any other makes the shift stale
 * @param to the new standing
 * @param budget what the step must leave, enforced where it takes a subject out of service
 */
public record Shift(int chain, int slot, long target, Standing expected, Standing to, Budget budget) {}
