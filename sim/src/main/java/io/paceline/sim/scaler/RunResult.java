package io.paceline.sim.scaler;

/**
 * What one run of one policy came to.
 *
 * @param workerHours hours paid for, start-up and drain included
 * @param actions decisions that changed something
 * @param flips actions against the direction of the one before
 * @param peak most workers paid for at once
 * @param surplus most workers that had no task to take, above the minimum
 * @param uselessStarts workers started although no task could be left for them
 * @param missRate share of tasks that waited longer than the wait target, or were not done when due
 * @param waitP50 seconds from arrival to first start
 * @param wasted attempts that failed
 * @param reruns attempts cut off by a crash or at the drain limit
 * @param capBreaches moments in which a hard cap was broken
 * @param blindDowns steps down while the queue's figures were wrong
 * @param recoverySeconds from the return of calm until no task waits longer than a minute; NaN where not asked
 * @param finishedAt seconds from the start to the last completion
 * @param unfinished tasks neither done nor dead at the end
 * @param digest of the whole history
 */
record RunResult(
        double workerHours,
        int actions,
        int flips,
        int peak,
        int surplus,
        int uselessStarts,
        double missRate,
        double waitP50,
        double waitP95,
        double waitMax,
        long wasted,
        long deadLettered,
        long reruns,
        int capBreaches,
        int blindDowns,
        double recoverySeconds,
        double finishedAt,
        long unfinished,
        long digest) {}
