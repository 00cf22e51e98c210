package io.paceline.store;

/**
 * One address that the proposing instance believes free.
 *
 * @param slot the address's place in the chain's table
 * @param cap live leases that it may have, this one included
 * @param cellCap live leases that it may have on the target, this one included
 */
public record Candidate(int slot, int cap, int cellCap) {}
