package io.paceline.sim.scaler;

import io.paceline.scale.FleetView;
import io.paceline.scale.Victims;
import io.paceline.sim.Dice;
import io.paceline.sim.EventQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The simulated fleet: starts workers, drains them, loses them.
 *
 * <pre>
 * starting -> ready (after its start-up) -> draining -> gone (nothing left, or the drain limit)
 * starting -> gone (drained before it was ready);  draining -> ready (called back);  any -> gone (crash)
 * </pre>
 */
final class SimFleet {

    private static final double STARTUP_SPREAD = 0.2;
    private static final int STARTS_REMEMBERED = 20;

    /** What a fleet tells the one that owns its tasks. */
    interface Owner {

        /** A worker has room. */
        void roomIn();

        /** These tasks were interrupted: by a crash (seen when their lease ends) or handed back at the drain limit. */
        void interrupted(List<Task> tasks, boolean crash);
    }

    private final EventQueue events;
    private final Conditions conditions;
    private final Dice startups;
    private final int slotsPerWorker;
    private final Provider provider;
    private final Owner owner;
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<Double> startupSeconds = new ArrayList<>();
    private int numbered;
    private long refused;
    private long deaths;
    private double paidSeconds;
    private long paidAtMicros;
    private int peak;

    SimFleet(
            EventQueue events,
            Conditions conditions,
            Dice startups,
            int slotsPerWorker,
            Provider provider,
            Owner owner) {
        this.events = events;
        this.conditions = conditions;
        this.startups = startups;
        this.slotsPerWorker = slotsPerWorker;
        this.provider = provider;
        this.owner = owner;
        this.paidAtMicros = events.nowMicros();
    }

    /** Workers that are ready from the beginning. */
    void populate(int count) {
        for (int i = 0; i < count; i++) {
            SimWorker worker = new SimWorker(numbered++, events.nowMicros());
            worker.state = SimWorker.State.READY;
            workers.add(worker);
        }
        peak = Math.max(peak, workers.size());
    }

    void start(int count) {
        account();
        for (int i = 0; i < count; i++) {
            if (workers.size() >= conditions.fleetRefusesAbove()) {
                refused++;
                continue;
            }
            SimWorker worker = new SimWorker(numbered++, events.nowMicros());
            workers.add(worker);
            double spread = 1 - STARTUP_SPREAD + 2 * STARTUP_SPREAD * startups.at(worker.number, 0);
            events.in(Time.micros(conditions.startupSeconds() * spread), () -> ready(worker));
        }
        peak = Math.max(peak, workers.size());
    }

    private void ready(SimWorker worker) {
        if (worker.state == SimWorker.State.STARTING) {
            worker.state = SimWorker.State.READY;
            startupSeconds.add(Time.seconds(events.nowMicros() - worker.askedMicros));
            if (startupSeconds.size() > STARTS_REMEMBERED) {
                startupSeconds.remove(0);
            }
            owner.roomIn();
        }
    }

    void undrain(int count) {
        workers.stream()
                .filter(w -> w.state == SimWorker.State.DRAINING)
                .limit(count)
                .forEach(w -> w.state = SimWorker.State.READY);
        owner.roomIn();
    }

    void drain(int count) {
        account();
        List<Victims.Worker> candidates = workers.stream()
                .filter(w -> w.state != SimWorker.State.DRAINING)
                .map(w ->
                        new Victims.Worker(w.id(), w.state == SimWorker.State.READY, w.attempts.size(), w.askedMicros))
                .toList();
        List<String> chosen = Victims.pick(candidates, count);
        for (SimWorker worker : List.copyOf(workers)) {
            if (chosen.contains(worker.id())) {
                drain(worker);
            }
        }
    }

    private void drain(SimWorker worker) {
        if (worker.attempts.isEmpty()) {
            gone(worker);
            return;
        }
        worker.state = SimWorker.State.DRAINING;
        int drain = ++worker.drains;
        events.in(Time.micros(conditions.drainLimitSeconds()), () -> {
            if (worker.state == SimWorker.State.DRAINING && worker.drains == drain) {
                handBack(worker);
            }
        });
    }

    /** At the drain limit each task goes back to the queue, but never the same one twice: that one is let finish. */
    private void handBack(SimWorker worker) {
        List<Task> back = new ArrayList<>();
        for (Attempt attempt : List.copyOf(worker.attempts)) {
            if (!attempt.task.handedBack) {
                attempt.task.handedBack = true;
                release(attempt);
                back.add(attempt.task);
            }
        }
        owner.interrupted(back, false);
        goneIfDrained(worker);
    }

    /** One worker dies with all it holds; which one is {@code draw}, 0 to 1. */
    void crash(double draw) {
        List<SimWorker> alive = workers.stream()
                .filter(w -> w.state != SimWorker.State.STARTING)
                .toList();
        if (alive.isEmpty()) {
            return;
        }
        account();
        SimWorker victim = alive.get((int) (draw * alive.size()));
        List<Task> lost = new ArrayList<>();
        for (Attempt attempt : List.copyOf(victim.attempts)) {
            release(attempt);
            lost.add(attempt.task);
        }
        gone(victim);
        deaths++;
        owner.interrupted(lost, true);
    }

    private void release(Attempt attempt) {
        provider.cancel(attempt);
        attempt.worker.attempts.remove(attempt);
    }

    /** A ready worker with a free slot, the least busy first. */
    Optional<SimWorker> free() {
        return workers.stream()
                .filter(w -> w.state == SimWorker.State.READY && w.attempts.size() < slotsPerWorker)
                .min(Comparator.comparingInt((SimWorker w) -> w.attempts.size()).thenComparingInt(w -> w.number));
    }

    /** That attempt is over. */
    void ended(Attempt attempt) {
        attempt.worker.attempts.remove(attempt);
        goneIfDrained(attempt.worker);
    }

    private void goneIfDrained(SimWorker worker) {
        if (worker.state == SimWorker.State.DRAINING && worker.attempts.isEmpty()) {
            gone(worker);
        }
    }

    private void gone(SimWorker worker) {
        account();
        worker.state = SimWorker.State.GONE;
        workers.remove(worker);
    }

    private void account() {
        long now = events.nowMicros();
        paidSeconds += Time.seconds(now - paidAtMicros) * workers.size();
        paidAtMicros = now;
    }

    FleetView view() {
        int starting = count(SimWorker.State.STARTING);
        int ready = count(SimWorker.State.READY);
        int busy = (int) workers.stream()
                .filter(w -> w.state == SimWorker.State.READY && !w.attempts.isEmpty())
                .count();
        return new FleetView(starting, ready, workers.size() - starting - ready, busy, refused);
    }

    private int count(SimWorker.State state) {
        return (int) workers.stream().filter(w -> w.state == state).count();
    }

    int paid() {
        return workers.size();
    }

    int peak() {
        return peak;
    }

    long deaths() {
        return deaths;
    }

    /** Seconds for which workers were paid, all together. */
    double paidSeconds() {
        account();
        return paidSeconds;
    }

    /** 90th percentile of the last start-ups, as a monitor would measure it; empty before the first. */
    Optional<Double> startupP90() {
        if (startupSeconds.isEmpty()) {
            return Optional.empty();
        }
        List<Double> sorted = startupSeconds.stream().sorted().toList();
        return Optional.of(sorted.get((int) Math.ceil(sorted.size() * 0.9) - 1));
    }

    List<SimWorker> workers() {
        return workers;
    }
}
