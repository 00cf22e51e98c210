package io.paceline.scale;

/**
 * Whether a snapshot may be acted on: fresh figures that do not contradict each other.
 *
 * @param quality the worst of the figures that a decision needs
 * @param why what is wrong, one sentence; empty where nothing is
 */
record QualityGate(Quality quality, String why) {

    private static final QualityGate OPEN = new QualityGate(Quality.GOOD, "");

    static QualityGate of(Snapshot snapshot, FleetView fleet, History history, long maxAgeMicros) {
        QualityGate gate = figure("the queue", snapshot.demand(), snapshot.nowMicros(), maxAgeMicros)
                .or(figure("tasks in flight", snapshot.inFlight(), snapshot.nowMicros(), maxAgeMicros));
        if (fleet.busy() > 0 && gate.quality.usable() && snapshot.inFlight().orElse(0) == 0) {
            return new QualityGate(
                    Quality.UNKNOWN, fleet.busy() + " workers are busy, but the queue says that nothing is in flight");
        }
        if (history.contradicts(snapshot.tally())) {
            return gate.or(new QualityGate(Quality.PARTIAL, "the counters went back"));
        }
        return gate;
    }

    boolean blind() {
        return !quality.usable();
    }

    private QualityGate or(QualityGate other) {
        return Quality.worse(quality, other.quality) == quality ? this : other;
    }

    private static QualityGate figure(String name, Figure<?> figure, long now, long maxAge) {
        Quality quality = figure.quality(now, maxAge);
        return switch (quality) {
            case GOOD -> OPEN;
            case PARTIAL -> new QualityGate(quality, name + " is counted only in part");
            case STALE ->
                new QualityGate(
                        quality,
                        name + " was measured " + Text.one(Micros.seconds(now - figure.measuredAtMicros())) + " s ago");
            case UNKNOWN ->
                new QualityGate(quality, name + ": " + (figure instanceof Figure.Unknown<?> u ? u.why() : ""));
        };
    }
}
