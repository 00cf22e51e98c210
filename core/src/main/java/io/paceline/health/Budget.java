package io.paceline.health;

/**
 * How many members of a group may be out at once; the store enforces it in the same step as the change of state.
 *
 * @param maxShare share that may be out, counted after the step
 * @param minInService how many stay in service (or all, where there are fewer)
 */
public record Budget(double maxShare, int minInService) {

    /** From this size on, one member may always go, whatever the share says. */
    private static final int ONE_MAY_GO_FROM = 3;

    /** No bound at all: for steps that take nobody out. */
    public static final Budget NONE = new Budget(1, 0);

    /** A tag leaves as one, outside the cap, while half of the pool stays. */
    public static Budget ofTag(QuarantineSettings settings) {
        return new Budget(Math.max(0.5, settings.maxShare()), settings.minInService());
    }

    public static Budget of(QuarantineSettings settings) {
        return new Budget(settings.maxShare(), settings.minInService());
    }

    /**
     * @param members of the group: those that are neither dead nor held by people
     * @param outAfter members out of service once the step is done
     */
    public boolean allows(int members, int outAfter) {
        int byShare = (int) (maxShare * members + 1e-9);
        int mayGo = members >= ONE_MAY_GO_FROM ? Math.max(1, byShare) : byShare;
        return outAfter <= mayGo && members - outAfter >= Math.min(minInService, members);
    }
}
