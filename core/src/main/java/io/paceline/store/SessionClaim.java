package io.paceline.store;

import java.util.List;

/**
 * The session that an admission belongs to: got where it lives, created where it does not, in the same step as the lease.
 *
 * @param chain where the session lives: its pool's own chain, wherever the address that serves it may be
 * @param key 64 bits of tenant and session key
 * @param ttlMicros how long the binding lasts
 * @param sliding true where use renews it
 * @param onAddressDeath what becomes of it when its address is lost
 * @param lostAfterOutMicros an address is lost once it, or its cell, has been out for longer
 * @param caps of a bound address, by the chain that it is in; candidates carry their own. The first holds for chains that
 *     are not named
 */
public record SessionClaim(
        int chain,
        long key,
        long ttlMicros,
        boolean sliding,
        OnAddressDeath onAddressDeath,
        long lostAfterOutMicros,
        List<Caps> caps) {

    /**
     * @param cap live leases that an address of this chain may have
     * @param cellCap live leases that it may have on the target
     */
    public record Caps(int chain, int cap, int cellCap) {}

    public SessionClaim {
        caps = List.copyOf(caps);
        if (caps.isEmpty()) {
            throw new IllegalArgumentException("a session claim needs the caps of its own chain");
        }
    }

    Caps capsIn(int ofChain) {
        for (int i = 1; i < caps.size(); i++) {
            if (caps.get(i).chain() == ofChain) {
                return caps.get(i);
            }
        }
        return caps.get(0);
    }
}
