package io.paceline.scale;

/** One rule between a wish and the fleet: gives back the count that it allows. Pure. */
interface Constraint {

    /** The stable word for it in decisions and metrics. */
    String rule();

    /** What it makes of {@code wanted}; the same number where it does not bind. */
    int allow(int wanted, Situation situation);

    /** Why it says so, in words; only asked where it binds. */
    String why(Situation situation);

    /**
     * What constraints look at.
     *
     * @param nowMicros the time
     * @param fleet the workers
     * @param settings what people set
     * @param orders what people ordered for now
     * @param shared the budget shared with other fleets
     * @param ledger what was spent in the last hour
     * @param refusals whether the fleet is full
     */
    record Situation(
            long nowMicros,
            FleetView fleet,
            ScalerSettings settings,
            Orders orders,
            SharedBudget shared,
            Ledger ledger,
            Refusals refusals) {}
}
