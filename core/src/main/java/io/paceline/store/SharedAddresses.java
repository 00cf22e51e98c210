package io.paceline.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Addresses that stand in several pools. Each pool judges them for itself, by a row of its own; live leases are counted once
 * over all pools, so that a cap means the address and not the entry in a list.
 *
 * <p>Costs nothing while there is one pool. Guarded by the store's lock.
 */
final class SharedAddresses {
    private static final int SMALL = 1_000;

    private final LongMap<ChainTable> chains;
    private final LongMap<LeaseEntry> leases;
    /** By identity, the chain that listed it first; empty while there is one chain. */
    private final LongMap<ChainTable> first = new LongMap<>();

    private final LongMap<Occupancy> shared = new LongMap<>();
    private int forgetFrom;

    SharedAddresses(LongMap<ChainTable> chains, LongMap<LeaseEntry> leases) {
        this.chains = chains;
        this.leases = leases;
    }

    /** Live leases of one address in all its pools: in all (target 0), and by target. */
    static final class Occupancy {
        private final LongMap<Integer> live = new LongMap<>();

        int live(long target) {
            Integer count = live.get(target);
            return count == null ? 0 : count;
        }

        void occupy(long target) {
            live.put(0, live(0) + 1);
            live.put(target, live(target) + 1);
        }

        void vacate(long target) {
            less(0);
            less(target);
        }

        private void less(long target) {
            int left = live(target) - 1;
            if (left > 0) {
                live.put(target, left);
            } else {
                live.remove(target);
            }
        }
    }

    /** A chain has new members: those that another lists too are counted together from now on. */
    void enrolled(ChainTable chain, List<Long> identities) {
        if (chains.size() < 2) {
            return;
        }
        if (first.size() == 0 || first.size() > forgetFrom) {
            listAnew(chain);
        }
        boolean any = false;
        for (long identity : identities) {
            ChainTable owner = first.putIfAbsent(identity, chain);
            if (owner != null && owner.id != chain.id) {
                Occupancy occupancy = occupancy(identity);
                any |= chain.share(identity, occupancy);
                any |= owner.share(identity, occupancy);
            } else if (shared.get(identity) != null) {
                // It has been away from this chain, and comes back to a row that knows nothing of the others.
                any |= chain.share(identity, occupancy(identity));
            }
        }
        if (any) {
            leases.forEach((lease, id) -> countIn(lease));
        }
    }

    /** Who is in no list any more is forgotten once as many are as there are others. */
    private void listAnew(ChainTable enrolling) {
        first.clear();
        chains.forEach((chain, id) -> {
            // Whoever comes last finds the others there, not itself.
            if (chain.id != enrolling.id) {
                chain.identities().forEach(identity -> first.putIfAbsent(identity, chain));
            }
        });
        forgetFrom = 2 * first.size() + SMALL;
        List<Long> gone = new ArrayList<>();
        shared.forEach((occupancy, identity) -> {
            if (first.get(identity) == null) {
                gone.add(identity);
            }
        });
        gone.forEach(shared::remove);
    }

    private Occupancy occupancy(long identity) {
        Occupancy known = shared.get(identity);
        if (known == null) {
            known = new Occupancy();
            shared.put(identity, known);
        }
        return known;
    }

    /** A lease that was granted before the address was shared. */
    private static void countIn(LeaseEntry lease) {
        Occupancy occupancy = lease.chain.occupancy(lease.address);
        if (lease.occupies && lease.shared == null && occupancy != null) {
            lease.shared = occupancy;
            occupancy.occupy(lease.cell.target);
        }
    }
}
