package io.paceline.sim.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs the pool's exam: every scenario, every policy asked for, the same seeds for all. */
public final class PoolLab {
    /** From so many seeds on, progress is told on the way. */
    private static final int MANY_SEEDS = 100;

    private PoolLab() {}

    /** Every scenario there is; those of the exam first. */
    public static List<String> scenarioNames() {
        return Scenarios.all().stream().map(Scenario::name).toList();
    }

    /** The scenarios of the exam: what {@code simulate all} runs. */
    public static List<String> examNames() {
        return Scenarios.all().stream()
                .filter(Scenario::inExam)
                .map(Scenario::name)
                .toList();
    }

    /**
     * Runs it.
     *
     * @param names scenarios to run, in that order
     * @param contestants policies, in the order of the report; the oracle runs in any case, as the measure of all
     * @param firstSeed the first of the seeds, which follow each other
     * @param seeds how many
     * @param progress is told a line when a scenario begins, and some for each policy; from several threads
     * @throws IllegalArgumentException for an unknown scenario; the message lists those there are
     */
    public static List<ScenarioReport> run(
            List<String> names, List<Contestant> contestants, long firstSeed, int seeds, Consumer<String> progress) {
        return run(names, contestants, firstSeed, seeds, null, progress);
    }

    /**
     * As {@link #run(List, List, long, int, Consumer)}, with a configuration of one's own for Paceline.
     *
     * @param own takes the place of the scenarios' settings; null for these
     */
    public static List<ScenarioReport> run(
            List<String> names,
            List<Contestant> contestants,
            long firstSeed,
            int seeds,
            @Nullable Own own,
            Consumer<String> progress) {
        List<Scenario> scenarios = names.stream()
                .map(PoolLab::named)
                .map(scenario -> own == null ? scenario : scenario.with(own))
                .toList();
        List<ScenarioReport> reports = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            progress.accept("scenario " + (reports.size() + 1) + " of " + scenarios.size() + ": " + scenario.name());
            reports.add(run(scenario, contestants, firstSeed, seeds, progress));
        }
        return reports;
    }

    private static Scenario named(String name) {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown scenario \"" + name + "\": choose from all, " + String.join(", ", scenarioNames())));
    }

    private static ScenarioReport run(
            Scenario scenario, List<Contestant> contestants, long firstSeed, int seeds, Consumer<String> progress) {
        List<String> violations = new ArrayList<>();
        List<RunResult> oracle = runs(scenario, Contestant.ORACLE, firstSeed, seeds, violations, progress);
        double oracleRate = oracle.stream()
                .mapToDouble(RunResult::successRate)
                .filter(rate -> !Double.isNaN(rate))
                .average()
                .orElse(Double.NaN);
        List<PolicyReport> policies = new ArrayList<>();
        for (Contestant contestant : contestants) {
            List<RunResult> results = contestant == Contestant.ORACLE
                    ? oracle
                    : runs(scenario, contestant, firstSeed, seeds, violations, progress);
            policies.add(PolicyReport.of(contestant, results, oracleRate));
        }
        return new ScenarioReport(scenario.name(), scenario.story(), seeds, policies, violations);
    }

    private static List<RunResult> runs(
            Scenario scenario,
            Contestant contestant,
            long firstSeed,
            int seeds,
            List<String> violations,
            Consumer<String> progress) {
        AtomicInteger done = new AtomicInteger();
        long began = System.nanoTime();
        List<RunResult> runs = LongStream.range(firstSeed, firstSeed + seeds)
                .parallel()
                .mapToObj(seed -> {
                    RunResult run = new World(scenario, contestant, seed).run();
                    tell(contestant, done.incrementAndGet(), seeds, progress);
                    return run;
                })
                .toList();
        progress.accept(summary(contestant, runs, (System.nanoTime() - began) / 1e9));
        for (int i = 0; i < seeds; i++) {
            if (!runs.get(i).violations().isEmpty()) {
                violations.add(replay(scenario, contestant, firstSeed + i, runs.get(i)));
            }
        }
        return runs;
    }

    private static void tell(Contestant contestant, int done, int seeds, Consumer<String> progress) {
        if (seeds >= MANY_SEEDS && done < seeds && done % (seeds / 10) == 0) {
            progress.accept("  " + contestant.word() + " " + done + " of " + seeds + " seeds");
        }
    }

    private static String summary(Contestant contestant, List<RunResult> runs, double seconds) {
        double events = runs.stream().mapToLong(RunResult::events).sum() / 1e6;
        return String.format(
                Locale.ROOT,
                "  %s done: %.1f million events in %.1f s, %.2f million a second",
                contestant.word(),
                events,
                seconds,
                events / seconds);
    }

    private static String replay(Scenario scenario, Contestant contestant, long seed, RunResult run) {
        return "seed " + seed + ", " + contestant.word() + ": " + String.join("; ", run.violations())
                + " (again: paceline simulate " + scenario.name() + " --policy " + contestant.word() + " --seed " + seed
                + " --seeds 1)";
    }
}
