package io.paceline.sim.scaler;

import io.paceline.scale.Figure;
import io.paceline.scale.QueueAges;
import io.paceline.scale.Snapshot;
import io.paceline.scale.Tally;
import org.jspecify.annotations.Nullable;

/** Measures a crew as a real monitor would, with that monitor's faults: source down, lying zeros, stale figures, a wrong clock. */
final class SimMonitor {

    private final Crew crew;
    private final Conditions conditions;
    private @Nullable Snapshot lastGood;

    SimMonitor(Crew crew, Conditions conditions) {
        this.crew = crew;
        this.conditions = conditions;
    }

    /** Whether what it tells of the queue is wrong at that second. */
    boolean blindAt(double second) {
        return conditions.of(Fault.Blind.class).anyMatch(f -> f.span().covers(second));
    }

    Snapshot measure(long trueNow) {
        double second = Time.seconds(trueNow - crew.startMicros());
        long now = trueNow + Time.micros(conditions.clockOff(second));
        Snapshot good = good(trueNow, now);
        return conditions
                .of(Fault.Blind.class)
                .filter(f -> f.span().covers(second))
                .findFirst()
                .map(fault -> spoilt(good, fault.kind()))
                .orElseGet(() -> {
                    lastGood = good;
                    return good;
                });
    }

    private Snapshot good(long trueNow, long now) {
        double startup = conditions.startupSeconds();
        Figure<Double> measured = crew.fleet
                .startupP90()
                .map(p90 -> Figure.known(p90, now))
                .orElseGet(() -> Figure.unknown("no worker has started yet"));
        return new Snapshot(
                now,
                Figure.known(crew.queue.waiting(), now),
                Figure.known(crew.queue.pausedAt(trueNow + Time.micros(startup)), now),
                Figure.known(crew.inFlight(), now),
                Figure.known(ages(now), now),
                Figure.known(crew.tally(), now),
                Figure.known(crew.fleet.view(), now),
                measured,
                Figure.unknown("no pace is asked"));
    }

    private QueueAges ages(long now) {
        if (crew.queue.runnable() == 0) {
            return QueueAges.NONE;
        }
        return new QueueAges(age(0, now), age(1, now), age(2, now), age(3, now), age(4, now));
    }

    private double age(int quarter, long now) {
        return Time.seconds(now - crew.queue.atQuarter(quarter).enqueuedMicros);
    }

    private Snapshot spoilt(Snapshot good, Fault.Blind.Kind kind) {
        long now = good.nowMicros();
        Snapshot old = lastGood == null ? good : lastGood;
        return switch (kind) {
            case DOWN -> {
                Figure<Integer> none = Figure.unknown("the metric source does not answer");
                yield queueAs(good, none, none, none, Figure.unknown("down"), Figure.unknown("down"));
            }
            case ZERO -> {
                Figure<Integer> zero = Figure.known(0, now);
                yield queueAs(good, zero, zero, zero, Figure.known(QueueAges.NONE, now), Figure.known(Tally.ZERO, now));
            }
            case STALE -> queueAs(good, old.waiting(), old.paused(), old.inFlight(), old.ages(), old.tally());
        };
    }

    /** The fleet is seen by another way and stays true. */
    private static Snapshot queueAs(
            Snapshot good,
            Figure<Integer> waiting,
            Figure<Integer> paused,
            Figure<Integer> inFlight,
            Figure<QueueAges> ages,
            Figure<Tally> tally) {
        return new Snapshot(
                good.nowMicros(),
                waiting,
                paused,
                inFlight,
                ages,
                tally,
                good.fleet(),
                good.startupSeconds(),
                good.permittedPerSecond());
    }
}
