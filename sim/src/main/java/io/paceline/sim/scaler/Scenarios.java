package io.paceline.sim.scaler;

import io.paceline.scale.Budget;
import io.paceline.scale.Goal;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Schedule;
import io.paceline.sim.scaler.Fault.Blind;
import io.paceline.sim.scaler.Fault.Crashes;
import io.paceline.sim.scaler.Fault.Outage;
import io.paceline.sim.scaler.Fault.Slow;
import io.paceline.sim.scaler.Fault.Span;
import io.paceline.sim.scaler.Fault.WrongClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * The exam: nine scenarios that are summed, and those held out. Six hours each; 2 slots per worker, tasks of 60 s
 * (log-normal, sigma 0.5), start-up 30 s, a decision each 15 s, 2 to 20 workers, no wait above 300 s.
 */
final class Scenarios {

    private static final double HOUR = 3600;
    private static final double MINUTE = 60;
    private static final double HOURS = 6;
    private static final String MIDNIGHT = "2026-03-02T00:00:00Z";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    static final ScalerSettings SETTINGS = ScalerSettings.defaults()
            .withWorkers(2, 20)
            .withTasksPerWorker(2)
            .withTimes(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofSeconds(60));

    private Scenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(exam());
        all.addAll(heldOut());
        return all;
    }

    static List<Scenario> exam() {
        return List.of(
                wait("nightly", "12 batches of 100 tasks from 02:00 to 05:00 on 2 a minute", 5 * HOUR, nightly()),
                dump(),
                wait("step", "2 a minute, 14 from 02:00 to 04:00, then 2", 4 * HOUR, step()),
                wait("sinusoid", "1 to 13 a minute and back, each three hours", Scenario.NO_CALM, sinusoid()),
                other(
                        "outage",
                        "6 a minute; 60 % of attempts fail from 02:00 to 02:30",
                        2.5 * HOUR,
                        Workload.steady(6),
                        SETTINGS,
                        Conditions.CALM.with(new Outage(new Span(2 * HOUR, 2.5 * HOUR), 0.6))),
                new Scenario(
                        "slow",
                        "4 a minute; tasks take four times as long from 02:00 to 02:40",
                        Scenario.Group.WAIT,
                        at(MIDNIGHT),
                        HOURS,
                        2 * HOUR + 40 * MINUTE,
                        Budget.UNLIMITED,
                        List.of(new CrewSpec(
                                SETTINGS,
                                Workload.steady(4),
                                Conditions.CALM.with(new Slow(new Span(2 * HOUR, 2 * HOUR + 40 * MINUTE), 4)),
                                2))),
                wait("bursty", "2 a minute, and 40 tasks within 20 s each half hour", Scenario.NO_CALM, bursty()),
                other(
                        "saturated",
                        "14 a minute from 02:00 to 03:30, else 4; the provider runs 12 at once, more only slow down",
                        3.5 * HOUR,
                        between(4, 14, 2 * HOUR, 3.5 * HOUR),
                        SETTINGS,
                        Conditions.CALM.withProviderAtOnce(12)),
                new Scenario(
                        "slot-cap",
                        "step with 16 slots: 8 workers at most",
                        Scenario.Group.WAIT,
                        at(MIDNIGHT),
                        HOURS,
                        4 * HOUR,
                        Budget.UNLIMITED,
                        List.of(new CrewSpec(SETTINGS.withSlots(16), step(), Conditions.CALM, 2))));
    }

    static List<Scenario> heldOut() {
        return List.of(
                blind("metrics-down", Blind.Kind.DOWN),
                blind("metrics-zero", Blind.Kind.ZERO),
                blind("metrics-stale", Blind.Kind.STALE),
                held(
                        "crashes",
                        "8 a minute; a worker dies each 3 min from 02:00 to 03:00",
                        3 * HOUR,
                        Workload.steady(8),
                        SETTINGS,
                        Conditions.CALM.with(new Crashes(new Span(2 * HOUR, 3 * HOUR), 180))),
                held("startup-5", "step, workers start in 5 s", 4 * HOUR, step(), SETTINGS, startup(5)),
                held("startup-120", "step, workers start in 120 s", 4 * HOUR, step(), SETTINGS, startup(120)),
                held(
                        "refusing",
                        "step, the fleet refuses more than 5 workers",
                        4 * HOUR,
                        step(),
                        SETTINGS,
                        Conditions.CALM.withFleetOf(5)),
                twoQueues(),
                held(
                        "clock-jump",
                        "sinusoid; the scaler's clock is an hour ahead from 02:00 to 03:00",
                        Scenario.NO_CALM,
                        sinusoid(),
                        SETTINGS,
                        Conditions.CALM.with(new WrongClock(new Span(2 * HOUR, 3 * HOUR), HOUR))),
                dstNight("dst-spring", "2026-03-28T22:00:00Z", 3, 5),
                dstNight("dst-autumn", "2026-10-24T22:00:00Z", 3, 6));
    }

    private static Workload nightly() {
        Workload load = Workload.steady(2);
        for (int batch = 0; batch < 12; batch++) {
            load = load.and(Workload.batch(100, 2 * HOUR + batch * 15 * MINUTE, 1));
        }
        return load;
    }

    private static Workload step() {
        return between(2, 14, 2 * HOUR, 4 * HOUR);
    }

    private static Workload between(double low, double high, double from, double to) {
        DoubleUnaryOperator rate = second -> second >= from && second < to ? high : low;
        return Workload.stream(high, rate);
    }

    private static Workload sinusoid() {
        return Workload.stream(13, second -> 7 - 6 * StrictMath.cos(2 * StrictMath.PI * second / (3 * HOUR)));
    }

    private static Workload bursty() {
        Workload load = Workload.steady(2);
        for (double at = HOUR / 2; at < HOURS * HOUR - HOUR / 4; at += HOUR / 2) {
            load = load.and(Workload.batch(40, at, 20));
        }
        return load;
    }

    private static Scenario dump() {
        return new Scenario(
                "dump",
                "1,200 tasks at 02:00, due at 05:00",
                Scenario.Group.OTHER,
                at(MIDNIGHT),
                HOURS,
                Scenario.NO_CALM,
                Budget.UNLIMITED,
                List.of(new CrewSpec(
                        SETTINGS.withGoal(Goal.Deadline.parse("05:00 UTC")),
                        Workload.batch(1200, 2 * HOUR, 1, Time.micros(5 * HOUR)),
                        Conditions.CALM,
                        2)));
    }

    /** The night has an hour less, or one more, than the clock on the wall says. */
    private static Scenario dstNight(String name, String start, int scheduledMin, int hoursToDeadline) {
        Schedule schedule =
                new Schedule("night", Set.of(), LocalTime.of(2, 30), LocalTime.of(4, 0), BERLIN, scheduledMin);
        return new Scenario(
                name,
                "900 tasks at 23:00 UTC, due at 05:00 in Berlin, on the night that moves the clock",
                Scenario.Group.HELD_OUT,
                at(start),
                8,
                Scenario.NO_CALM,
                Budget.UNLIMITED,
                List.of(new CrewSpec(
                        SETTINGS.withGoal(new Goal.Deadline(LocalTime.of(5, 0), BERLIN))
                                .withSchedules(List.of(schedule)),
                        Workload.batch(900, HOUR, 1, Time.micros(hoursToDeadline * HOUR)),
                        Conditions.CALM,
                        2)));
    }

    private static Scenario blind(String name, Blind.Kind kind) {
        return held(
                name,
                "8 a minute; the queue's figures are " + name.substring("metrics-".length())
                        + " from 02:00 to 02:10, and 60 tasks come at 02:02",
                2 * HOUR + 10 * MINUTE,
                Workload.steady(8).and(Workload.batch(60, 2 * HOUR + 2 * MINUTE, 5)),
                SETTINGS,
                Conditions.CALM.with(new Blind(new Span(2 * HOUR, 2 * HOUR + 10 * MINUTE), kind)));
    }

    private static Scenario twoQueues() {
        ScalerSettings settings = SETTINGS;
        return new Scenario(
                "two-queues",
                "two queues step to 10 a minute, half an hour apart, on a common budget of 12 workers",
                Scenario.Group.HELD_OUT,
                at(MIDNIGHT),
                HOURS,
                4.5 * HOUR,
                new Budget(12, 1),
                List.of(
                        new CrewSpec(settings, between(2, 10, 2 * HOUR, 4 * HOUR), Conditions.CALM, 2),
                        new CrewSpec(settings, between(2, 10, 2.5 * HOUR, 4.5 * HOUR), Conditions.CALM, 2)));
    }

    private static Conditions startup(double seconds) {
        return Conditions.CALM.withStartup(seconds);
    }

    private static Scenario wait(String name, String story, double calm, Workload load) {
        return one(name, story, Scenario.Group.WAIT, calm, load, SETTINGS, Conditions.CALM);
    }

    private static Scenario other(
            String name, String story, double calm, Workload load, ScalerSettings settings, Conditions conditions) {
        return one(name, story, Scenario.Group.OTHER, calm, load, settings, conditions);
    }

    private static Scenario held(
            String name, String story, double calm, Workload load, ScalerSettings settings, Conditions conditions) {
        return one(name, story, Scenario.Group.HELD_OUT, calm, load, settings, conditions);
    }

    private static Scenario one(
            String name,
            String story,
            Scenario.Group group,
            double calm,
            Workload load,
            ScalerSettings settings,
            Conditions conditions) {
        CrewSpec crew = new CrewSpec(settings, load, conditions, settings.min());
        return new Scenario(name, story, group, at(MIDNIGHT), HOURS, calm, Budget.UNLIMITED, List.of(crew));
    }

    private static long at(String instant) {
        return Instant.parse(instant).getEpochSecond() * Time.SECOND;
    }
}
