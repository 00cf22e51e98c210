package io.paceline;

/**
 * Names one lease, and says where it lives, so that whoever holds it can end it on any instance.
 *
 * @param value 64 random bits drawn by the instance that asked
 * @param chain hash of the chain (a pool and its fallback pools) that holds the lease
 * @param slot the address's slot in that chain
 * @param target the target's {@link Target#hash()}
 * @param expiresAtMicros when the lease ends by itself, as granted: a lease that is gone before this was released, after
 *     it has expired
 */
public record LeaseId(long value, int chain, int slot, long target, long expiresAtMicros) {}
