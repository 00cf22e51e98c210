package io.paceline.sim.scaler;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs the autoscaler's exam: every scenario, every policy asked for, the same seeds for all. */
public final class ScalerLab {

    private ScalerLab() {}

    public static List<String> scenarioNames() {
        return Scenarios.all().stream().map(Scenario::name).collect(Collectors.toList());
    }

    /**
     * Runs it.
     *
     * @param names scenarios to run; empty means all
     * @param contestants policies, in the order of the report
     * @param firstSeed the first of the seeds, which follow each other
     * @param seeds how many
     * @param progress is told a line when a scenario begins
     * @throws IllegalArgumentException for an unknown scenario; the message lists those there are
     */
    public static List<ScenarioReport> run(
            List<String> names, List<Contestant> contestants, long firstSeed, int seeds, Consumer<String> progress) {
        List<Scenario> scenarios = named(names);
        List<ScenarioReport> reports = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            progress.accept("scenario " + (reports.size() + 1) + " of " + scenarios.size() + ": " + scenario.name());
            reports.add(run(scenario, contestants, firstSeed, seeds));
        }
        return reports;
    }

    private static ScenarioReport run(Scenario scenario, List<Contestant> contestants, long firstSeed, int seeds) {
        List<PolicyReport> policies = new ArrayList<>();
        for (Contestant contestant : contestants) {
            List<RunResult> runs = new ArrayList<>();
            for (int i = 0; i < seeds; i++) {
                runs.add(new World(scenario, contestant, firstSeed + i).run());
            }
            policies.add(PolicyReport.of(contestant, runs));
        }
        return new ScenarioReport(
                scenario.name(),
                scenario.story(),
                scenario.group() == Scenario.Group.HELD_OUT,
                scenario.group() == Scenario.Group.WAIT,
                seeds,
                policies);
    }

    private static List<Scenario> named(List<String> names) {
        List<Scenario> all = Scenarios.all();
        if (names.isEmpty()) {
            return all;
        }
        for (String name : names) {
            if (all.stream().noneMatch(s -> s.name().equals(name))) {
                throw new IllegalArgumentException(
                        "unknown scaler scenario \"" + name + "\": choose from " + String.join(", ", scenarioNames()));
            }
        }
        return all.stream().filter(s -> names.contains(s.name())).collect(Collectors.toList());
    }
}
