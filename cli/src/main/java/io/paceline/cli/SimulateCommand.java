package io.paceline.cli;

import io.paceline.sim.scaler.Contestant;
import io.paceline.sim.scaler.ScalerLab;
import io.paceline.sim.scaler.ScenarioReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code simulate scaler}: the autoscaler's exam in virtual time, a table per scenario. */
@Command(
        name = "simulate",
        description = "Scenarios in virtual time, a table per scenario: policies and their measures.",
        footer = {"", "Example: paceline simulate scaler dump outage --seeds 5 --policy planner,hpa"})
final class SimulateCommand implements Runnable {

    private static final String SCALER = "scaler";
    private static final int MOST_SEEDS = 10_000;

    @Parameters(
            arity = "0..*",
            paramLabel = "SCENARIO",
            description = "\"scaler\" for the autoscaler's scenarios; names of some of them may follow.")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "The first seed; 1 unless said.")
    private long seed = 1;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds; 20 unless said.")
    private int seeds = 20;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "P",
            description = "Of threshold, planner, hpa, keda, target, fixed; all unless said.")
    private List<String> policies = new ArrayList<>();

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        if (scenarios.isEmpty() || !scenarios.get(0).equals(SCALER)) {
            throw usage("only the autoscaler's scenarios are available: write simulate scaler");
        }
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw usage("--seeds must be 1 to " + MOST_SEEDS + ", not " + seeds);
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<ScenarioReport> reports;
        try {
            List<Contestant> contestants = (policies.isEmpty() ? Contestant.words() : policies)
                    .stream().map(Contestant::of).distinct().toList();
            List<String> names = scenarios.stream().skip(1).distinct().toList();
            reports = ScalerLab.run(names, contestants, seed, seeds, err::println);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        if (json) {
            out.println(ScalerJson.of(reports).toPrettyString());
        } else {
            ScalerTable.print(reports, out);
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
