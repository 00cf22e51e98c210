package io.paceline.cli;

import io.paceline.service.ConfigFiles;
import io.paceline.service.DataFolder;
import io.paceline.service.Keys;
import io.paceline.service.Service;
import io.paceline.service.StartException;
import io.paceline.service.StartException.Part;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ApiConfig;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ListenAddress;
import io.paceline.service.config.ProxyConfig;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.proxy.ProxySettings;
import io.paceline.service.record.RecordSettings;
import io.paceline.service.supply.Vault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code serve}: the gatekeeper, until a signal ends it. */
@Command(
        name = "serve",
        description = "Run the gatekeeper: permit API, metrics and forward proxy.",
        footer = {
            "",
            "With no configuration at all: direct egress at the polite default pace. Prints one line when ready.",
            "Changed files are read again by themselves, and at SIGHUP (docs/reload.md).",
            "SIGTERM: no new work, what runs may end within 8 seconds, then exit 0."
        })
final class ServeCommand implements Runnable {

    static final Path DEFAULT_DATA = Path.of("paceline-data");

    private static final Path NO_DATA = Path.of("none");

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--store",
            paramLabel = "S",
            description = "Where state is kept: memory (default) or redis://HOST:PORT (docs/distributed.md).")
    private @Nullable String store;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "The folder for what outlives the process: keys and journal (default: ./paceline-data).",
                "none: nothing does."
            })
    private @Nullable Path data;

    @Option(names = "--api", paramLabel = "H:P", description = "Where the API listens (default: 127.0.0.1:8080).")
    private @Nullable String api;

    @Option(
            names = "--proxy",
            paramLabel = "H:P",
            description = "Where the forward proxy listens (default: 127.0.0.1:8000).")
    private @Nullable String proxy;

    @Option(
            names = "--allow-private-targets",
            description = "Let requests go to loopback, private and reserved addresses.")
    private boolean allowPrivateTargets;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Keep what is asked, answered and decided as JSON lines, pseudonymised (docs/record.md).")
    private @Nullable Path record;

    @Option(
            names = "--record-max",
            paramLabel = "SIZE",
            defaultValue = RecordSettings.DEFAULT_MAX,
            description = "The most that FILE and FILE.1, its older half, take together (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private String recordMax;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Path named = data == null ? DEFAULT_DATA : data;
        Optional<Keys> kept = NO_DATA.equals(data) ? Optional.empty() : keys(new DataFolder(named), err);
        // Null where there is no folder whose keys outlive the process: without them nothing could be told again.
        Path folder = kept.isPresent() ? named : null;
        Keys keys = kept.orElseGet(Keys::ephemeral);
        ConfigInputs inputs = inputs(keys);
        ServiceConfig config = load(inputs);
        config.warnings().forEach(warning -> err.println("warning: " + warning));
        Service service = start(
                config, keys, ConfigFiles.of(inputs, folder == null ? Vault.NONE : new DataFolder(folder)), folder);
        if (folder != null) {
            service.keepUsage(folder.resolve("usage.jsonl"));
        }
        stopAtSignal(service);
        Hangup.on(() -> service.reload("SIGHUP"));
        out.println(service.readyLine());
        out.flush();
        waitForever();
    }

    /** Empty where there is no folder to keep them in, and nobody named one. */
    private Optional<Keys> keys(DataFolder folder, PrintWriter err) {
        try {
            return Optional.of(folder.keys());
        } catch (IOException e) {
            if (data != null) {
                throw Failure.surroundings(String.valueOf(e.getMessage()));
            }
            err.println(
                    "warning: " + e.getMessage()
                            + "; until then ids of addresses and leases change at each start, and nothing outlives this process");
            return Optional.empty();
        }
    }

    private ConfigInputs inputs(Keys keys) {
        return options.inputs(AddressIds.keyed(keys.addresses()))
                .withOverrides(
                        Optional.ofNullable(api),
                        Optional.ofNullable(proxy),
                        Optional.ofNullable(store),
                        allowPrivateTargets);
    }

    private static ServiceConfig load(ConfigInputs inputs) {
        return ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw Failure.input(errors.stream().map(ConfigError::toString).toList());
        });
    }

    private Service start(ServiceConfig config, Keys keys, ConfigFiles files, @Nullable Path folder) {
        try {
            return Service.start(config, keys, ProxySettings.Timeouts.defaults(), recording(), files, folder);
        } catch (StartException e) {
            if (e.part() == Part.RECORD
                    || e.part() == Part.DATA
                    || e.part() == Part.STORE
                    || e.part() == Part.JOURNAL) {
                throw Failure.surroundings(String.valueOf(e.getMessage()));
            }
            boolean ofApi = e.part() == Part.API;
            String from = ofApi
                    ? origin(
                            "api",
                            api,
                            config.api().listen(),
                            ApiConfig.defaults().listen())
                    : origin(
                            "proxy",
                            proxy,
                            config.proxy().listen(),
                            ProxyConfig.defaults().listen());
            throw Failure.surroundings(
                    e.getMessage() + " (" + from + "); end what listens there, or choose another with "
                            + (ofApi ? "--api" : "--proxy") + " HOST:PORT");
        }
    }

    private @Nullable RecordSettings recording() {
        try {
            return record == null ? null : new RecordSettings(record, RecordSettings.octets(recordMax));
        } catch (IllegalArgumentException e) {
            throw Failure.input("--record-max " + e.getMessage());
        }
    }

    /** Who said that it should listen there. */
    private static String origin(String part, @Nullable String option, ListenAddress listen, ListenAddress standard) {
        if (option != null) {
            return "from --" + part;
        }
        return listen.equals(standard) ? "the default of " + part + ".listen" : "from " + part + ".listen";
    }

    /** The machine would report the signal's own code after its hooks: a drained service has done its work, and says 0. */
    private static void stopAtSignal(Service service) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            service.stop(Service.DRAIN);
                            Runtime.getRuntime().halt(0);
                        },
                        "paceline-stop"));
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
