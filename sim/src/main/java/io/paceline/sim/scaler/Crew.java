package io.paceline.sim.scaler;

import io.paceline.scale.Tally;
import io.paceline.sim.Dice;
import io.paceline.sim.Digest;
import io.paceline.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One queue and the fleet that works it off: arrivals, attempts, retries, dead letters. Knows nothing of scaling. */
final class Crew implements SimFleet.Owner {

    static final int MAX_DELIVERIES = 5;
    private static final double RETRY_SECONDS = 30;

    /** A crashed worker's tasks are taken over when their lease is over. */
    private static final double VISIBILITY_SECONDS = 120;

    /** A failing attempt ends somewhere between a fifth and all of its work. */
    private static final double SHORTEST_FAILURE = 0.2;

    private final EventQueue events;
    private final Conditions conditions;
    private final long startMicros;
    private final Dice failures;
    private final Dice failureLengths;
    private final Digest digest;
    private final Provider provider;
    final SimQueue queue = new SimQueue();
    final SimFleet fleet;
    final List<Task> tasks = new ArrayList<>();

    private long finished;
    private long failed;
    private long reruns;
    private int inFlight;
    private double busySlotSeconds;
    private long busyAtMicros;
    private long arrived;

    Crew(CrewSpec spec, EventQueue events, Dice dice, Digest digest, long horizonMicros) {
        this.events = events;
        this.conditions = spec.conditions();
        this.startMicros = events.nowMicros();
        this.busyAtMicros = startMicros;
        this.failures = dice.stream("failures");
        this.failureLengths = dice.stream("failure-lengths");
        this.digest = digest;
        this.provider = new Provider(events, conditions.providerAtOnce(), this::ended);
        this.fleet = new SimFleet(
                events, conditions, dice.stream("startups"), spec.settings().tasksPerWorker(), provider, this);
        fleet.populate(spec.workersAtStart());
        for (Arrival arrival : spec.workload().numbered(dice.stream("arrivals"), horizonMicros)) {
            Task task = new Task(arrival, startMicros);
            tasks.add(task);
            events.at(task.arrivedMicros, () -> arrives(task));
        }
        planCrashes(dice.stream("crashes"));
    }

    private void planCrashes(Dice draws) {
        conditions.of(Fault.Crashes.class).forEach(crashes -> {
            for (double s = crashes.span().from(); s < crashes.span().to(); s += crashes.everySeconds()) {
                double draw = draws.next();
                events.at(startMicros + Time.micros(s), () -> fleet.crash(draw));
            }
        });
    }

    private void arrives(Task task) {
        arrived++;
        digest.add(task.id);
        enqueue(task);
    }

    private void enqueue(Task task) {
        long now = events.nowMicros();
        task.enqueuedMicros = now;
        queue.add(task, now);
        if (task.pausedUntilMicros > now) {
            events.at(task.pausedUntilMicros, this::roomIn);
        }
        roomIn();
    }

    @Override
    public void roomIn() {
        queue.release(events.nowMicros());
        while (queue.runnable() > 0) {
            Optional<SimWorker> worker = fleet.free();
            if (worker.isEmpty()) {
                return;
            }
            begin(queue.take().orElseThrow(), worker.get());
        }
    }

    private void begin(Task task, SimWorker worker) {
        long now = events.nowMicros();
        double second = Time.seconds(now - startMicros);
        account();
        if (task.startedMicros == Task.NEVER) {
            task.startedMicros = now;
        }
        boolean fails = failures.at(task.id, task.attempts) < conditions.failing(second);
        double part = fails ? SHORTEST_FAILURE + (1 - SHORTEST_FAILURE) * failureLengths.at(task.id, task.attempts) : 1;
        task.attempts++;
        inFlight++;
        Attempt attempt = new Attempt(task, worker, fails, now);
        worker.attempts.add(attempt);
        digest.add(now ^ worker.number);
        provider.begin(attempt, task.workSeconds * part * conditions.slowness(second));
    }

    private void ended(Attempt attempt) {
        account();
        inFlight--;
        finished++;
        digest.add(events.nowMicros() + attempt.task.id);
        if (attempt.fails) {
            failed++;
            again(attempt.task, RETRY_SECONDS);
        } else {
            attempt.task.finishedMicros = events.nowMicros();
        }
        fleet.ended(attempt);
        roomIn();
    }

    private void again(Task task, double afterSeconds) {
        if (task.attempts >= MAX_DELIVERIES) {
            task.dead = true;
        } else {
            events.in(Time.micros(afterSeconds), () -> enqueue(task));
        }
    }

    @Override
    public void interrupted(List<Task> lost, boolean crash) {
        account();
        inFlight -= lost.size();
        reruns += lost.size();
        for (Task task : lost) {
            if (crash) {
                again(task, VISIBILITY_SECONDS);
            } else {
                enqueue(task);
            }
        }
    }

    private void account() {
        long now = events.nowMicros();
        busySlotSeconds += Time.seconds(now - busyAtMicros) * inFlight;
        busyAtMicros = now;
    }

    Tally tally() {
        account();
        return new Tally(arrived, finished, failed, 0, 0, fleet.deaths(), busySlotSeconds);
    }

    int inFlight() {
        return inFlight;
    }

    long failed() {
        return failed;
    }

    long reruns() {
        return reruns;
    }

    long startMicros() {
        return startMicros;
    }
}
