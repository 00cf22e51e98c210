package io.paceline.sim.scaler;

import io.paceline.scale.FleetView;
import io.paceline.scale.Policy;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Snapshot;
import io.paceline.scale.Wish;

/**
 * Target tracking as clouds do it: waiting tasks per worker in one-minute readings; up after three above the target, down
 * after fifteen below nine tenths of it, both in proportion.
 */
final class TargetTracking implements Policy<TargetTracking.State> {

    private static final int READINGS_UP = 3;
    private static final int READINGS_DOWN = 15;
    private static final double LOW = 0.9;

    private final double waitingPerWorker;

    TargetTracking(ScalerSettings settings) {
        this.waitingPerWorker = Backlog.waitingPerWorker(settings);
    }

    /** When it read last, and how many readings in a row were high or low. */
    record State(long readMicros, int high, int low) {}

    @Override
    public String name() {
        return "target";
    }

    @Override
    public State initial() {
        return new State(Long.MIN_VALUE / 2, 0, 0);
    }

    @Override
    public Step<State> step(Snapshot snapshot, FleetView fleet, State state) {
        long now = snapshot.nowMicros();
        int current = fleet.present();
        int waiting = snapshot.waiting().orElse(-1);
        Wish stay = new Wish(current, "stay", "no alarm");
        if (Math.abs(now - state.readMicros) < Time.MINUTE || waiting < 0) {
            return new Step<>(stay, state);
        }
        double perWorker = waiting / (double) Math.max(1, current);
        int high = perWorker > waitingPerWorker ? state.high + 1 : 0;
        int low = perWorker < LOW * waitingPerWorker ? state.low + 1 : 0;
        int proportional = (int) Math.ceil(waiting / waitingPerWorker);
        if (high >= READINGS_UP) {
            return new Step<>(new Wish(Math.max(current, proportional), "high", "alarm"), new State(now, 0, 0));
        }
        if (low >= READINGS_DOWN) {
            return new Step<>(new Wish(Math.min(current, proportional), "low", "alarm"), new State(now, 0, 0));
        }
        return new Step<>(stay, new State(now, high, low));
    }
}
