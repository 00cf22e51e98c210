package io.paceline.cli;

import io.paceline.GateConfig;
import io.paceline.health.Hold;
import io.paceline.service.DataFolder;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.record.RecordLine;
import io.paceline.service.record.RecordReader;
import io.paceline.sim.replay.Arrival;
import io.paceline.sim.replay.Recording;
import io.paceline.sim.replay.Replay;
import io.paceline.sim.replay.ReplayReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: a record of one's own through another configuration. */
@Command(
        name = "replay",
        description = "Drive the requests of a record (serve --record) through another configuration, in virtual time.",
        footer = {
            "",
            "Example: paceline replay run.jsonl.1 run.jsonl --config other.yaml",
            "",
            "Answers are drawn from what the record has seen; docs/record.md says what that can tell and what not."
        })
final class ReplayCommand implements Runnable {

    @Parameters(
            arity = "1..*",
            paramLabel = "EVENTS",
            description = "The record; several files in their order in time.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data folder of the recorded run, whose key the addresses' ids hang on"
                    + " (default: ./paceline-data).")
    private @Nullable Path data;

    @Option(names = "--seed", paramLabel = "N", description = "The seed of all chance; 1 unless said.")
    private long seed = 1;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        if (!options.named()) {
            throw new ParameterException(
                    spec.commandLine(), "the configuration to try is missing: write --config FILE (or --rules FILE)");
        }
        GateConfig config = config();
        Recording recording = new Recording();
        files.forEach(file -> read(file, recording));
        ReplayReport report;
        try {
            report = Replay.run(recording, config, seed, err()::println);
        } catch (IllegalArgumentException e) {
            throw Failure.input(String.valueOf(e.getMessage()));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(ReplayText.json(report).toPrettyString());
        } else {
            ReplayText.print(report, out);
        }
    }

    private GateConfig config() {
        ServiceConfig loaded = ConfigLoader.load(options.inputs(ids())).match(valid -> valid, errors -> {
            throw Failure.input(errors.stream().map(ConfigError::toString).toList());
        });
        return loaded.gateConfig();
    }

    /** Reads the folder's key and never makes one: a new one would fit no record. */
    private AddressIds ids() {
        Path folder = data == null ? ServeCommand.DEFAULT_DATA : data;
        if (!Files.isDirectory(folder)) {
            if (data != null) {
                throw Failure.input("there is no data folder " + data + ": name that of the recorded run");
            }
            return AddressIds.keyed(new byte[32]);
        }
        try {
            return AddressIds.keyed(new DataFolder(folder).keys().addresses());
        } catch (IOException e) {
            throw Failure.surroundings(String.valueOf(e.getMessage()));
        }
    }

    private void read(Path file, Recording recording) {
        try {
            RecordReader.Summary summary = RecordReader.read(
                    file,
                    line -> take(line, recording),
                    (number, what) -> err().println(file + ":" + number + ": skipped, " + what),
                    err()::println);
            err().println(file + ": " + summary.lines() + " lines"
                    + (summary.broken() == 0 ? "" : ", " + summary.broken() + " of them broken and skipped"));
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.input(String.valueOf(e.getMessage()));
        }
    }

    private static void take(RecordLine line, Recording recording) {
        if (line instanceof RecordLine.Asked asked) {
            take(asked, recording);
        } else if (line instanceof RecordLine.Ended ended) {
            recording.ended(
                    ended.lease(),
                    ended.address(),
                    ended.target(),
                    ended.atMicros(),
                    ended.outcome(),
                    ended.latencyMicros());
        } else if (line instanceof RecordLine.Moved moved) {
            // Who was thawed while his wait runs has not gone there anew.
            recording.moved(moved.to().equals("quarantined") && !Hold.WORDS.contains(moved.from()));
        } else if (line instanceof RecordLine.Dropped dropped) {
            recording.dropped(dropped.lines());
        }
    }

    /** A ticket comes back as a request of its own, and only that one is replayed. */
    private static void take(RecordLine.Asked asked, Recording recording) {
        if (asked.result().equals("reserved") || asked.host().isEmpty()) {
            return;
        }
        RecordLine.Wanted wanted = asked.wanted();
        boolean releases = asked.leases().stream().allMatch(lease -> lease.lease() != null);
        Arrival arrival = new Arrival(
                asked.askedMicros(),
                asked.pool(),
                asked.host(),
                asked.client(),
                asked.session(),
                asked.task(),
                asked.tags(),
                asked.tenant(),
                new Arrival.Wanted(wanted.count(), wanted.cost(), wanted.priority(), wanted.maxWaitMicros(), releases));
        String target = asked.target() == null ? asked.host() : asked.target();
        recording.asked(
                arrival, target, asked.atMicros(), asked.leases().size(), asked.granted() ? null : asked.result());
        for (RecordLine.Leased lease : asked.leases()) {
            recording.leased(asked.pool(), lease.lease(), lease.address(), asked.atMicros());
        }
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
