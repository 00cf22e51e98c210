package io.paceline.sim.scaler;

/** One task on its way: what it needs, and what has become of it so far. */
final class Task {

    /** No such time. */
    static final long NEVER = -1;

    final long id;
    final long arrivedMicros;
    final double workSeconds;
    final long dueMicros;
    final long pausedUntilMicros;

    long enqueuedMicros;
    long startedMicros = NEVER;
    long finishedMicros = NEVER;
    int attempts;
    boolean handedBack;
    boolean dead;

    Task(Arrival arrival, long startMicros) {
        this.id = arrival.id();
        this.arrivedMicros = startMicros + arrival.atMicros();
        this.workSeconds = arrival.workSeconds();
        this.dueMicros = arrival.dueMicros() == Arrival.NO_DUE ? NEVER : startMicros + arrival.dueMicros();
        this.pausedUntilMicros = startMicros + arrival.pausedUntilMicros();
        this.enqueuedMicros = arrivedMicros;
    }

    boolean ended() {
        return dead || finishedMicros != NEVER;
    }
}
