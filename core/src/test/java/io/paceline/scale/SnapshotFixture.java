package io.paceline.scale;

import java.time.Duration;

/** Snapshots for tests: a queue and a fleet in a few numbers. */
final class SnapshotFixture {

    static final long T0 = 1_772_409_600L * Micros.SECOND;

    static final ScalerSettings SETTINGS = ScalerSettings.defaults()
            .withWorkers(2, 20)
            .withTasksPerWorker(2)
            .withTimes(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofSeconds(60));

    private SnapshotFixture() {}

    static FleetView ready(int workers) {
        return new FleetView(0, workers, 0, workers, 0);
    }

    static Snapshot at(long second, int waiting, int inFlight, FleetView fleet) {
        return at(second, Figure.known(waiting, T0 + second * Micros.SECOND), inFlight, fleet);
    }

    static Snapshot at(long second, Figure<Integer> waiting, int inFlight, FleetView fleet) {
        long now = T0 + second * Micros.SECOND;
        return new Snapshot(
                now,
                waiting,
                Figure.known(0, now),
                Figure.known(inFlight, now),
                Figure.known(QueueAges.NONE, now),
                Figure.known(Tally.ZERO, now),
                Figure.known(fleet, now),
                Figure.known(30.0, now),
                Figure.unknown("not asked"));
    }
}
