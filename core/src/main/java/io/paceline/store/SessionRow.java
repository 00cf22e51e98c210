package io.paceline.store;

/**
 * The binding of a session as a store returns it.
 *
 * @param slot where it is bound
 * @param present the slot still belongs to the address that it was bound to
 * @param expiresAtMicros when the binding ends, unless use renews it
 * @param live its live leases
 * @param confirmed a request has reached the address
 * @param ended its address was gone or out for too long
 */
public record SessionRow(int slot, boolean present, long expiresAtMicros, int live, boolean confirmed, boolean ended) {}
