package io.paceline.cli;

import io.paceline.pool.PoolSettings;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import io.paceline.sim.pace.CrowdReport;
import io.paceline.sim.pace.PaceLab;
import io.paceline.sim.pool.Own;
import io.paceline.sim.pool.PoolLab;
import io.paceline.sim.scaler.ScalerLab;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code simulate}: scenarios in virtual time, a table per scenario; of pools, or of the autoscaler. */
@Command(
        name = "simulate",
        description = "Scenarios in virtual time, a table per scenario: policies and their measures.",
        footer = {
            "",
            "Examples: paceline simulate all",
            "          paceline simulate dead-and-flaky own-outage --seeds 5 --policy paceline,random",
            "          paceline simulate scaler dump outage --policy planner,hpa"
        })
final class SimulateCommand implements Runnable {

    private static final String SCALER = "scaler";
    private static final String PACE = "pace";
    private static final String ALL = "all";
    private static final int MOST_SEEDS = 10_000;

    @Parameters(
            arity = "0..*",
            paramLabel = "SCENARIO",
            description =
                    "Names of pool scenarios, or \"all\" for the exam; or \"scaler\" for the autoscaler's, or \"pace\""
                            + " for adaptive pace; of these two, names may follow.")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "The first seed; 1 unless said.")
    private long seed = 1;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds; 20 unless said.")
    private int seeds = 20;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "P",
            description =
                    "Pools: of oracle, paceline, random, backoff, sessions, outlier, broker. Scaler: of threshold,"
                            + " planner, hpa, keda, target, fixed. Pace: of paceline, tuned, fixed, autothrottle, aimd. All unless said.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "F",
            description =
                    "Run Paceline in the pool scenarios by the settings of this file's first pool, and by its rules if it"
                            + " has any; its addresses and targets are not used.")
    private @Nullable Path config;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw usage("--seeds must be 1 to " + MOST_SEEDS + ", not " + seeds);
        }
        try {
            if (!scenarios.isEmpty() && scenarios.get(0).equals(SCALER)) {
                scaler();
            } else if (!scenarios.isEmpty() && scenarios.get(0).equals(PACE)) {
                pace();
            } else {
                pools();
            }
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void pools() {
        if (scenarios.isEmpty()) {
            throw usage("a scenario is missing: write simulate all for the pool's exam, simulate scaler for the"
                    + " autoscaler's, or some of " + String.join(", ", PoolLab.scenarioNames()));
        }
        List<String> names = new ArrayList<>(scenarios.contains(ALL) ? PoolLab.examNames() : List.of());
        scenarios.stream()
                .filter(name -> !name.equals(ALL) && !names.contains(name))
                .forEach(names::add);
        var reports = PoolLab.run(
                names,
                contestants(io.paceline.sim.pool.Contestant.words(), io.paceline.sim.pool.Contestant::of),
                seed,
                seeds,
                own(),
                err()::println);
        if (json) {
            out().println(PoolJson.of(reports).toPrettyString());
        } else {
            PoolTable.print(reports, out());
        }
    }

    /** The scenarios have addresses and sites of their own, so only settings and rules of a file can be tried in them. */
    private @Nullable Own own() {
        if (config == null) {
            return null;
        }
        AddressIds anyIds = AddressIds.keyed(new byte[32]);
        ServiceConfig loaded = ConfigLoader.load(
                        ConfigInputs.none(System.getenv(), Path.of("").toAbsolutePath(), anyIds)
                                .withConfig(config))
                .match(valid -> valid, errors -> {
                    throw Failure.input(
                            errors.stream().map(ConfigError::toString).toList());
                });
        PoolSettings settings = loaded.pools().get(0).settings();
        boolean hasRules = !loaded.rules().isEmpty();
        err().println("paceline runs by pool " + settings.name() + " of " + config
                + (loaded.pools().size() > 1
                        ? ", the first of " + loaded.pools().size()
                        : "")
                + (hasRules ? " and its rules" : "; it has no rules, so the scenarios' wide ones hold")
                + "; addresses and targets are the scenarios' own");
        return new Own(settings, hasRules ? loaded.ruleBook() : null);
    }

    private void scaler() {
        if (config != null) {
            throw usage("--config is for the pool scenarios: leave it out, or name one of "
                    + String.join(", ", PoolLab.scenarioNames()));
        }
        List<String> names = scenarios.stream().skip(1).distinct().toList();
        var reports = ScalerLab.run(
                names,
                contestants(io.paceline.sim.scaler.Contestant.words(), io.paceline.sim.scaler.Contestant::of),
                seed,
                seeds,
                err()::println);
        if (json) {
            out().println(ScalerJson.of(reports).toPrettyString());
        } else {
            ScalerTable.print(reports, out());
        }
    }

    private void pace() {
        var reports = PaceLab.run(
                scenarios.stream().skip(1).distinct().toList(),
                contestants(io.paceline.sim.pace.Contestant.words(), io.paceline.sim.pace.Contestant::of),
                seed,
                seeds,
                err()::println);
        List<CrowdReport> crowds = PaceLab.crowds(seed);
        if (json) {
            out().println(PaceOutput.json(reports, crowds).toPrettyString());
        } else {
            PaceOutput.table(reports, crowds, out());
        }
    }

    private <T> List<T> contestants(List<String> all, Function<String, T> ofWord) {
        return (policies.isEmpty() ? all : policies)
                .stream().map(ofWord).distinct().toList();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
