package io.paceline.sim.scaler;

import io.paceline.scale.FleetView;
import io.paceline.scale.PlanQuestion;
import io.paceline.scale.Policy;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Snapshot;
import io.paceline.scale.Wish;
import io.paceline.scale.WorkerPlan;

/** No autoscaler: always what the worker calculator recommends for a peak of 14 tasks a minute. */
final class Fixed implements Policy<String> {

    private static final double PEAK_PER_MINUTE = 14;

    private final int workers;

    Fixed(ScalerSettings settings) {
        this.workers = WorkerPlan.of(new PlanQuestion(
                        PEAK_PER_MINUTE,
                        Workload.SERVICE_SECONDS,
                        settings.tasksPerWorker(),
                        Double.NaN,
                        Double.NaN,
                        0,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN))
                .recommendedWorkers();
    }

    @Override
    public String name() {
        return "fixed";
    }

    @Override
    public String initial() {
        return "";
    }

    @Override
    public Step<String> step(Snapshot snapshot, FleetView fleet, String state) {
        return new Step<>(new Wish(workers, "fixed", "always " + workers), state);
    }
}
