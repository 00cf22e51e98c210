package io.paceline.sim.scaler;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The world around one queue and its fleet.
 *
 * @param startupSeconds from asked for to ready; each start varies by up to a fifth
 * @param providerAtOnce tasks that the provider really runs at once; above it all slow down in proportion
 * @param fleetRefusesAbove workers that the fleet can hold
 * @param drainLimitSeconds after so long a draining worker hands its tasks back, each at most once
 * @param noise share of attempts that always fails
 * @param faults what goes wrong
 */
record Conditions(
        double startupSeconds,
        int providerAtOnce,
        int fleetRefusesAbove,
        double drainLimitSeconds,
        double noise,
        List<Fault> faults) {

    static final Conditions CALM = new Conditions(30, Integer.MAX_VALUE, Integer.MAX_VALUE, 900, 0.01, List.of());

    Conditions {
        faults = List.copyOf(faults);
    }

    Conditions with(Fault... more) {
        return new Conditions(
                startupSeconds,
                providerAtOnce,
                fleetRefusesAbove,
                drainLimitSeconds,
                noise,
                Stream.concat(faults.stream(), Stream.of(more)).toList());
    }

    Conditions withStartup(double seconds) {
        return new Conditions(seconds, providerAtOnce, fleetRefusesAbove, drainLimitSeconds, noise, faults);
    }

    Conditions withProviderAtOnce(int tasks) {
        return new Conditions(startupSeconds, tasks, fleetRefusesAbove, drainLimitSeconds, noise, faults);
    }

    Conditions withFleetOf(int workers) {
        return new Conditions(startupSeconds, providerAtOnce, workers, drainLimitSeconds, noise, faults);
    }

    Conditions withoutNoise() {
        return new Conditions(startupSeconds, providerAtOnce, fleetRefusesAbove, drainLimitSeconds, 0, faults);
    }

    /** Share of attempts that fail at that second. */
    double failing(double second) {
        return of(Fault.Outage.class)
                .filter(f -> f.span().covers(second))
                .mapToDouble(Fault.Outage::share)
                .max()
                .orElse(noise);
    }

    double slowness(double second) {
        return of(Fault.Slow.class)
                .filter(f -> f.span().covers(second))
                .mapToDouble(Fault.Slow::factor)
                .max()
                .orElse(1);
    }

    double clockOff(double second) {
        return of(Fault.WrongClock.class)
                .filter(f -> f.span().covers(second))
                .mapToDouble(Fault.WrongClock::bySeconds)
                .sum();
    }

    /** When the last fault that disturbs the work ends; empty where none does. */
    OptionalDouble lastEnd() {
        return faults.stream()
                .flatMap(f -> f instanceof Fault.Outage o
                        ? Stream.of(o.span())
                        : f instanceof Fault.Slow s
                                ? Stream.of(s.span())
                                : f instanceof Fault.Crashes c
                                        ? Stream.of(c.span())
                                        : f instanceof Fault.Blind b ? Stream.of(b.span()) : Stream.empty())
                .mapToDouble(Fault.Span::to)
                .max();
    }

    <F extends Fault> Stream<F> of(Class<F> kind) {
        return faults.stream().filter(kind::isInstance).map(kind::cast);
    }
}
