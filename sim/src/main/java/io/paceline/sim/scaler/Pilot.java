package io.paceline.sim.scaler;

import io.paceline.scale.Orders;
import io.paceline.scale.Policy;
import io.paceline.scale.ScaleDecision;
import io.paceline.scale.Scaler;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.ScalerState;
import io.paceline.scale.SharedBudget;
import io.paceline.scale.Snapshot;

/** A scaler with its memory, whatever its policy remembers. */
final class Pilot<S> {

    private final Scaler<S> scaler;
    private ScalerState<S> state;

    Pilot(Policy<S> policy, ScalerSettings settings) {
        this.scaler = new Scaler<>(policy, settings);
        this.state = scaler.initial();
    }

    ScaleDecision decide(Snapshot snapshot, SharedBudget shared) {
        Scaler.Turn<S> turn = scaler.decide(snapshot, Orders.NONE, shared, state);
        state = turn.state();
        return turn.decision();
    }

    /** Restarted without its memory. */
    void forget() {
        state = scaler.initial();
    }
}
