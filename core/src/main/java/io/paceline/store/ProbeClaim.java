package io.paceline.store;

/**
 * The wish to probe an address from outside any request: of several instances one may.
 *
 * @param claimer the instance; it may claim again what it holds
 * @param idleMicros an address that serves must have gone without a lease for so long
 * @param holdMicros for how long nobody else may probe it; longer than a probe takes
 */
public record ProbeClaim(int chain, int slot, long claimer, long idleMicros, long holdMicros) {}
