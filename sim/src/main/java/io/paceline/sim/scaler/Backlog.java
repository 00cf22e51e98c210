package io.paceline.sim.scaler;

import io.paceline.scale.Goal;
import io.paceline.scale.ScalerSettings;
import java.time.Duration;

/** The backlog that one worker may have behind it so that the last task of it still starts in time: how rivals are tuned. */
final class Backlog {

    private static final Duration USUAL_SLO = Duration.ofMinutes(5);

    private Backlog() {}

    /** Tasks waiting or in flight per worker: slots x SLO / seconds per task; 10 in the scenarios. */
    static double depthPerWorker(ScalerSettings settings) {
        Duration slo = settings.goal() instanceof Goal.Wait wait ? wait.slo() : USUAL_SLO;
        return settings.tasksPerWorker() * slo.toSeconds() / Workload.SERVICE_SECONDS;
    }

    /** Tasks waiting per worker: the same without those in flight; 8 in the scenarios. */
    static double waitingPerWorker(ScalerSettings settings) {
        return depthPerWorker(settings) - settings.tasksPerWorker();
    }
}
