package io.paceline.scale;

import java.util.List;

/**
 * One whole decision: the policy's wish through the brakes to a plan of undrain, start and drain. Pure: measures nothing,
 * does nothing.
 *
 * @param <S> what the policy remembers
 */
public final class Scaler<S> {

    private final Policy<S> policy;
    private final ScalerSettings settings;

    public Scaler(Policy<S> policy, ScalerSettings settings) {
        this.policy = policy;
        this.settings = settings;
    }

    /** The decision and what to remember. */
    public record Turn<S>(ScaleDecision decision, ScalerState<S> state) {}

    public ScalerState<S> initial() {
        return new ScalerState<>(policy.initial(), ScalerState.NEVER, 0, Ledger.EMPTY, Refusals.NONE);
    }

    /** Decides once. Whoever carries it out must have done so before the next snapshot's fleet is read. */
    public Turn<S> decide(Snapshot snapshot, Orders orders, SharedBudget shared, ScalerState<S> state) {
        long now = snapshot.nowMicros();
        Figure<FleetView> seen = snapshot.fleet();
        if (!(seen instanceof Figure.Known<FleetView> known)
                || seen.quality(now, settings.maxAgeMicros()) != Quality.GOOD) {
            return fleetUnknown(now, seen, state);
        }
        FleetView fleet = known.value();
        Policy.Step<S> step = policy.step(snapshot, fleet, state.policy());
        Ledger ledger = state.ledger().with(now, fleet.paid());
        Refusals refusals = state.refusals().step(fleet, now);
        Brakes.Braked braked = Brakes.apply(
                step.wish().workers(),
                new Constraint.Situation(now, fleet, settings, orders, shared, ledger, refusals));
        String note = unseen(known, refusals, state, now);
        FleetPlan plan = note.isEmpty() ? FleetPlan.of(braked.allowed(), braked.ceiling(), fleet) : FleetPlan.NOTHING;
        ScaleDecision decision = new ScaleDecision(
                now,
                policy.name(),
                fleet.present(),
                fleet.draining(),
                step.wish(),
                braked.brakes(),
                braked.allowed(),
                plan.undrain(),
                plan.start(),
                plan.drain(),
                note,
                settings.dryRun());
        boolean commands = decision.acts() && !settings.dryRun();
        return new Turn<>(
                decision,
                new ScalerState<>(
                        step.state(),
                        commands ? now : state.commandMicros(),
                        commands ? fleet.present() + plan.undrain() + plan.start() - plan.drain() : state.commanded(),
                        ledger,
                        refusals));
    }

    /**
     * One action per sample: nothing is ordered before the last order could be seen, and for two periods not before it
     * is seen. Otherwise a slow reading orders the same workers twice.
     */
    private String unseen(Figure.Known<FleetView> fleet, Refusals refusals, ScalerState<S> state, long now) {
        long since = now - state.commandMicros();
        if (since < 0 || since > settings.maxAgeMicros()) {
            return "";
        }
        boolean older = fleet.atMicros() <= state.commandMicros();
        boolean missing = fleet.value().present() < state.commanded() && !refusals.full(now);
        return older || missing ? "the last order is not visible yet" : "";
    }

    private Turn<S> fleetUnknown(long now, Figure<FleetView> seen, ScalerState<S> state) {
        String why = seen instanceof Figure.Unknown<FleetView> u ? u.why() : "its figures are too old";
        int held = Math.max(0, state.commanded());
        Wish wish = new Wish(held, "blind", "the fleet cannot be read: " + why);
        ScaleDecision decision = new ScaleDecision(
                now,
                policy.name(),
                held,
                0,
                wish,
                List.of(),
                held,
                0,
                0,
                0,
                "nothing is done blindly",
                settings.dryRun());
        return new Turn<>(decision, state);
    }
}
