package io.paceline.sim.scaler;

import io.paceline.scale.ScaleDecision;
import io.paceline.scale.ScalerSettings;
import java.util.ArrayDeque;
import java.util.Deque;

/** Looks at one crew from outside, with the truth: actions, flips, surplus, and whether a cap was ever broken. */
final class Watch {

    private final Crew crew;
    private final ScalerSettings settings;
    private final Deque<double[]> hour = new ArrayDeque<>();
    private int lastDirection;
    int actions;
    int flips;
    int surplus;
    int uselessStarts;
    int blindDowns;
    int capBreaches;

    Watch(Crew crew, ScalerSettings settings) {
        this.crew = crew;
        this.settings = settings;
    }

    void decided(ScaleDecision decision, boolean blind) {
        int tasks = crew.queue.waiting() + crew.inFlight();
        int usable = (tasks + settings.tasksPerWorker() - 1) / settings.tasksPerWorker();
        int floor = Math.max(settings.min(), usable);
        if (decision.acts()) {
            actions++;
            int direction = decision.drain() > 0 ? -1 : 1;
            flips += direction + lastDirection == 0 ? 1 : 0;
            lastDirection = direction;
            uselessStarts += Math.min(decision.start(), Math.max(0, decision.allowed() - floor));
            blindDowns += blind && decision.drain() > 0 ? 1 : 0;
        }
        surplus = Math.max(surplus, crew.fleet.view().present() - floor);
    }

    /** After every change: the hard caps hold over all workers that are paid for. */
    void check(long nowMicros) {
        int paid = crew.fleet.paid();
        boolean broken = paid > settings.max()
                || (long) paid * settings.tasksPerWorker() > settings.slots()
                || (settings.budget().limited() && hourBroken(nowMicros));
        capBreaches += broken ? 1 : 0;
    }

    private boolean hourBroken(long nowMicros) {
        hour.addLast(new double[] {nowMicros, crew.fleet.paidSeconds()});
        while (hour.size() > 1 && hour.peekFirst()[0] < nowMicros - Time.HOUR) {
            hour.removeFirst();
        }
        double spent = (crew.fleet.paidSeconds() - hour.getFirst()[1])
                / 3600
                * settings.budget().workerHour();
        return spent > settings.budget().perHour() + 1e-6;
    }
}
