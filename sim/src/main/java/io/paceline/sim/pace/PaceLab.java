package io.paceline.sim.pace;

import io.paceline.pace.OnLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Runs the exam of adaptive pace: every hidden limit, every policy, the same seeds for all. */
public final class PaceLab {
    private PaceLab() {}

    public static List<String> scenarioNames() {
        return Scenario.all().stream().map(Scenario::name).toList();
    }

    /** A thousand callers before one target, who wait, and who come back by hints. */
    public static List<CrowdReport> crowds(long seed) {
        return List.of(Crowd.run(OnLimit.WAIT, seed), Crowd.run(OnLimit.REJECT, seed));
    }

    /**
     * Runs it.
     *
     * @param names scenarios; all where empty
     * @param progress is told a line for each scenario
     * @throws IllegalArgumentException for an unknown scenario; the message lists those there are
     */
    public static List<PaceReport> run(
            List<String> names, List<Contestant> contestants, long firstSeed, int seeds, Consumer<String> progress) {
        for (String name : names) {
            if (!scenarioNames().contains(name)) {
                throw new IllegalArgumentException(
                        "unknown scenario \"" + name + "\": choose from " + String.join(", ", scenarioNames()));
            }
        }
        List<PaceReport> reports = new ArrayList<>();
        for (Scenario scenario : Scenario.all()) {
            if (names.isEmpty() || names.contains(scenario.name())) {
                progress.accept("scenario " + scenario.name());
                for (Contestant contestant : contestants) {
                    List<RunResult> runs = LongStream.range(firstSeed, firstSeed + seeds)
                            .parallel()
                            .mapToObj(seed -> new World(scenario, contestant, seed).run())
                            .toList();
                    reports.add(PaceReport.of(scenario, contestant, runs));
                }
            }
        }
        return reports;
    }
}
