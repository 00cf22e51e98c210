package io.paceline.pool;

import io.paceline.Address;

/**
 * An address that is to be probed now.
 *
 * @param inService it serves and is idle; else it is half-open
 * @param epoch of its standing: a probe says nothing about another one
 */
public record DueProbe(int slot, Address address, boolean inService, int epoch) {}
