package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.GateConfig;
import io.paceline.service.advice.Advice;
import io.paceline.service.advice.Adviser;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.record.RecordReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code advise}: what a recorded run suggests. */
@Command(
        name = "advise",
        description = "Read a record (serve --record) and say what it suggests about rules, pools and addresses.",
        footer = {
            "",
            "Example: paceline advise run.jsonl.1 run.jsonl --config paceline.yaml",
            "",
            "With the configuration of the run, rules and pools that never mattered are named too; docs/advise.md says"
                    + " what each advice goes by."
        })
final class AdviseCommand implements Runnable {

    /** Ids are not looked at, so any key does. */
    private static final AddressIds IDS = AddressIds.keyed(new byte[32]);

    @Parameters(
            arity = "1..*",
            paramLabel = "RECORD",
            description = "The record; several files in their order in time.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        Adviser adviser = new Adviser(config());
        files.forEach(file -> read(file, adviser));
        Adviser.Report report = adviser.report();
        if (json) {
            spec.commandLine().getOut().println(json(report).toPrettyString());
        } else {
            print(report, spec.commandLine().getOut());
        }
    }

    private @Nullable GateConfig config() {
        if (!options.named()) {
            return null;
        }
        return ConfigLoader.load(options.inputs(IDS))
                .match(loaded -> loaded, errors -> {
                    throw Failure.input(
                            errors.stream().map(ConfigError::toString).toList());
                })
                .gateConfig();
    }

    private void read(Path file, Adviser adviser) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            RecordReader.Summary summary = RecordReader.read(
                    file,
                    adviser::take,
                    (number, what) -> err.println(file + ":" + number + ": skipped, " + what),
                    err::println);
            err.println(file + ": " + summary.lines() + " lines"
                    + (summary.broken() == 0 ? "" : ", " + summary.broken() + " of them broken and skipped"));
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.input(String.valueOf(e.getMessage()));
        }
    }

    private void print(Adviser.Report report, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "%,d requests, %,d permits, %,d outcomes in %s",
                report.requests(),
                report.permits(),
                report.outcomes(),
                lasted(report.seconds())));
        if (report.advice().isEmpty()) {
            out.println("nothing to suggest: no site complained, nobody waited for long, every address served");
        }
        report.advice().forEach(advice -> out.println("- " + advice.says()));
        if (!options.named()) {
            out.println("with --config F, rules and pools that never mattered are looked for, too");
        }
    }

    private static String lasted(double seconds) {
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        return seconds < 7_200
                ? String.format(Locale.ROOT, "%.0f minutes", seconds / 60)
                : String.format(Locale.ROOT, "%.1f hours", seconds / 3_600);
    }

    private static ObjectNode json(Adviser.Report report) {
        ObjectNode root = new ObjectMapper()
                .createObjectNode()
                .put(
                        "from",
                        Instant.EPOCH
                                .plus(report.firstMicros(), ChronoUnit.MICROS)
                                .toString())
                .put("seconds", report.seconds())
                .put("requests", report.requests())
                .put("permits", report.permits())
                .put("outcomes", report.outcomes());
        ArrayNode all = root.putArray("advice");
        for (Advice advice : report.advice()) {
            ObjectNode one = all.addObject()
                    .put("kind", advice.kind())
                    .put("about", advice.about())
                    .put("says", advice.says())
                    .put("share", advice.share());
            advice.figures().forEach(one.putObject("figures")::put);
        }
        return root;
    }
}
