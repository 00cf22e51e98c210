package io.paceline.scale;

/**
 * Everything a monitor measured for one decision; the policy sees nothing else of the world.
 *
 * @param nowMicros when the decision is taken
 * @param waiting tasks in the queue that no worker holds
 * @param paused how many of the waiting tasks their targets do not allow within a start-up time: no demand
 * @param inFlight tasks that workers hold
 * @param ages how long the waiting tasks have waited
 * @param tally counters of what came and went
 * @param fleet the workers
 * @param startupSeconds 90th percentile of the measured time from asked for to ready; unknown: the configured guess
 * @param permittedPerSecond tasks per second that the rate rules will let through; unknown: no bound is known
 */
public record Snapshot(
        long nowMicros,
        Figure<Integer> waiting,
        Figure<Integer> paused,
        Figure<Integer> inFlight,
        Figure<QueueAges> ages,
        Figure<Tally> tally,
        Figure<FleetView> fleet,
        Figure<Double> startupSeconds,
        Figure<Double> permittedPerSecond) {

    /** The waiting tasks that a worker could run: those of paused targets are left out. */
    public Figure<Integer> demand() {
        if (waiting instanceof Figure.Unknown<Integer>) {
            return waiting;
        }
        if (!(paused instanceof Figure.Known<Integer> held)) {
            return Figure.unknown("how many waiting tasks are paused is not known");
        }
        int runnable = Math.max(0, waiting.orElse(0) - held.value());
        long at = Math.min(waiting.measuredAtMicros(), held.atMicros());
        return waiting instanceof Figure.AtLeast<Integer> ? Figure.atLeast(runnable, at) : Figure.known(runnable, at);
    }
}
