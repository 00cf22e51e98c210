package io.paceline.sim.scaler;

import io.paceline.sim.Dice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Which tasks come when: the same for every policy under one seed. */
@FunctionalInterface
interface Workload {

    double SERVICE_SECONDS = 60;
    double SERVICE_SIGMA = 0.5;

    /** Arrivals before {@code horizonMicros}, in any order; {@code id}s are given later. */
    List<Arrival> arrivals(Dice dice, long horizonMicros);

    /** A Poisson stream whose rate per minute follows the time in seconds, by thinning (Lewis and Shedler 1979). */
    static Workload stream(double mostPerMinute, DoubleUnaryOperator perMinuteAtSecond) {
        return (dice, horizon) -> {
            List<Arrival> arrivals = new ArrayList<>();
            double second = dice.exponential(60 / mostPerMinute);
            while (second < Time.seconds(horizon)) {
                if (dice.next() * mostPerMinute < perMinuteAtSecond.applyAsDouble(second)) {
                    arrivals.add(task(dice, Time.micros(second), Arrival.NO_DUE));
                }
                second += dice.exponential(60 / mostPerMinute);
            }
            return arrivals;
        };
    }

    static Workload steady(double perMinute) {
        return stream(perMinute, second -> perMinute);
    }

    /** So many tasks spread over a span that begins at that second. */
    static Workload batch(int tasks, double atSecond, double overSeconds) {
        return batch(tasks, atSecond, overSeconds, Arrival.NO_DUE);
    }

    static Workload batch(int tasks, double atSecond, double overSeconds, long dueMicros) {
        return (dice, horizon) -> {
            List<Arrival> arrivals = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                double second = atSecond + overSeconds * i / tasks;
                arrivals.add(task(dice, Time.micros(second), dueMicros));
            }
            return arrivals;
        };
    }

    /** Exact tasks for tests: so many at that second, each of that length, their target paused for so long. */
    static Workload exactly(int tasks, double atSecond, double workSeconds, double pausedUntilSecond) {
        return (dice, horizon) -> {
            List<Arrival> arrivals = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                arrivals.add(new Arrival(
                        0, Time.micros(atSecond), workSeconds, Arrival.NO_DUE, Time.micros(pausedUntilSecond)));
            }
            return arrivals;
        };
    }

    default Workload and(Workload other) {
        return (dice, horizon) -> {
            List<Arrival> both = new ArrayList<>(arrivals(dice, horizon));
            both.addAll(other.arrivals(dice, horizon));
            return both;
        };
    }

    /** In the order of their coming, numbered. */
    default List<Arrival> numbered(Dice dice, long horizonMicros) {
        List<Arrival> sorted = new ArrayList<>(arrivals(dice, horizonMicros));
        sorted.sort(Comparator.comparingLong(Arrival::atMicros));
        List<Arrival> numbered = new ArrayList<>(sorted.size());
        for (Arrival a : sorted) {
            numbered.add(
                    new Arrival(numbered.size(), a.atMicros(), a.workSeconds(), a.dueMicros(), a.pausedUntilMicros()));
        }
        return numbered;
    }

    private static Arrival task(Dice dice, long atMicros, long dueMicros) {
        return new Arrival(0, atMicros, dice.logNormal(SERVICE_SECONDS, SERVICE_SIGMA), dueMicros, 0);
    }
}
