package io.paceline.sim.scaler;

/** One try of one task on one worker. */
final class Attempt {

    final Task task;
    final SimWorker worker;
    final boolean fails;
    final long startedMicros;

    /** Where the provider's virtual clock must be for it to end. */
    double endsAtProgress;

    Attempt(Task task, SimWorker worker, boolean fails, long startedMicros) {
        this.task = task;
        this.worker = worker;
        this.fails = fails;
        this.startedMicros = startedMicros;
    }
}
