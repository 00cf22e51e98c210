package io.paceline.store;

/**
 * The session that an admission belongs to: got where it lives, created where it does not, in the same step as the lease.
 *
 * @param key 64 bits of tenant and session key
 * @param ttlMicros how long the binding lasts
 * @param sliding true where use renews it
 * @param cap live leases that a bound address may have; candidates carry their own
 * @param cellCap live leases that it may have on the target
 * @param endAfterOutMicros once its address or cell has been out for so long, the session ends
 */
public record SessionClaim(long key, long ttlMicros, boolean sliding, int cap, int cellCap, long endAfterOutMicros) {}
