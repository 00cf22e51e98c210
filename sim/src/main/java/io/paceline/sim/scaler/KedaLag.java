package io.paceline.sim.scaler;

import io.paceline.scale.FleetView;
import io.paceline.scale.Policy;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Snapshot;
import io.paceline.scale.Wish;
import java.util.List;

/** KEDA on the lag of a stream: waiting tasks only, read each 30 s, through the horizontal autoscaler's arithmetic. */
final class KedaLag implements Policy<KedaLag.State> {

    private static final long POLL = 30 * Time.SECOND;

    private final double lagPerWorker;

    KedaLag(ScalerSettings settings) {
        this.lagPerWorker = Backlog.waitingPerWorker(settings);
    }

    /** The last reading, and the autoscaler's recommendations. */
    record State(long readMicros, int lag, List<Hpa.Recommended> recommended) {}

    @Override
    public String name() {
        return "keda";
    }

    @Override
    public State initial() {
        return new State(Long.MIN_VALUE / 2, -1, List.of());
    }

    @Override
    public Step<State> step(Snapshot snapshot, FleetView fleet, State state) {
        long now = snapshot.nowMicros();
        boolean due = Math.abs(now - state.readMicros) >= POLL;
        int lag = due ? snapshot.waiting().orElse(-1) : state.lag;
        long read = due ? now : state.readMicros;
        if (lag < 0) {
            return new Step<>(
                    new Wish(fleet.present(), "unknown", "no metric"), new State(read, lag, state.recommended));
        }
        Step<List<Hpa.Recommended>> step = Hpa.follow(now, lag, lagPerWorker, fleet.present(), state.recommended);
        return new Step<>(step.wish(), new State(read, lag, step.state()));
    }
}
