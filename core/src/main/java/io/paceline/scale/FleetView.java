package io.paceline.scale;

/**
 * The workers of one fleet as they were seen.
 *
 * @param starting asked for and not ready yet
 * @param ready taking tasks
 * @param draining finishing what they have, taking no more
 * @param busy how many of the ready ones hold a task
 * @param refusedStarts starts that the fleet has refused since it exists ("no slot available"); only grows
 */
public record FleetView(int starting, int ready, int draining, int busy, long refusedStarts) {

    public FleetView {
        if (starting < 0 || ready < 0 || draining < 0 || busy < 0 || refusedStarts < 0) {
            throw new IllegalArgumentException("a fleet has no negative counts: starting " + starting + ", ready "
                    + ready + ", draining " + draining + ", busy " + busy + ", refused " + refusedStarts);
        }
    }

    /** The count that a policy speaks about: workers that take tasks, now or soon. */
    public int present() {
        return starting + ready;
    }

    /** Everything that costs money and slots. */
    public int paid() {
        return starting + ready + draining;
    }
}
