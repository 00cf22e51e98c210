package io.paceline.sim.scaler;

import io.paceline.scale.FleetView;
import io.paceline.scale.Policy;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Snapshot;
import io.paceline.scale.Wish;
import java.util.ArrayList;
import java.util.List;

/**
 * Kubernetes' horizontal autoscaler on an external metric with AverageValue, tuned to the wait target: queue depth per
 * worker, 10 % tolerance, up by at most 4 or double a period, down to the largest wish of the last 300 s.
 */
final class Hpa implements Policy<List<Hpa.Recommended>> {

    private static final double TOLERANCE = 0.1;
    private static final long DOWN_WINDOW = 300 * Time.SECOND;

    private final double depthPerWorker;

    Hpa(ScalerSettings settings) {
        this(Backlog.depthPerWorker(settings));
    }

    Hpa(double depthPerWorker) {
        this.depthPerWorker = depthPerWorker;
    }

    /** A recommendation and when it was made. */
    record Recommended(long atMicros, int workers) {}

    @Override
    public String name() {
        return "hpa";
    }

    @Override
    public List<Recommended> initial() {
        return List.of();
    }

    @Override
    public Step<List<Recommended>> step(Snapshot snapshot, FleetView fleet, List<Recommended> state) {
        double depth =
                snapshot.waiting().orElse(-1) + (double) snapshot.inFlight().orElse(0);
        if (depth < 0) {
            return new Step<>(new Wish(fleet.present(), "unknown", "no metric"), state);
        }
        return follow(snapshot.nowMicros(), depth, depthPerWorker, fleet.present(), state);
    }

    /** The controller's arithmetic on any metric. */
    static Step<List<Recommended>> follow(
            long now, double metric, double perWorker, int current, List<Recommended> state) {
        double ratio = current == 0 ? Double.POSITIVE_INFINITY : metric / (perWorker * current);
        int desired = Math.abs(ratio - 1) <= TOLERANCE ? current : (int) Math.ceil(metric / perWorker);
        List<Recommended> recent = new ArrayList<>(state);
        recent.removeIf(r -> r.atMicros < now - DOWN_WINDOW);
        recent.add(new Recommended(now, desired));
        int largest = recent.stream().mapToInt(Recommended::workers).max().orElse(desired);
        int wanted =
                desired > current ? Math.min(desired, Math.max(current + 4, 2 * current)) : Math.min(current, largest);
        return new Step<>(new Wish(wanted, "metric", metric + " at " + perWorker + " per worker"), List.copyOf(recent));
    }
}
