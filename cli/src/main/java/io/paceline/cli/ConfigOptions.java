package io.paceline.cli;

import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that reads a configuration. */
final class ConfigOptions {

    @Option(names = "--config", paramLabel = "F", description = "The configuration file (YAML).")
    private @Nullable Path config;

    @Option(
            names = "--proxies",
            paramLabel = "F",
            description = "A list of proxies: the pool \"default\" is made of it. May be repeated.")
    private List<Path> proxies = new ArrayList<>();

    @Option(names = "--rules", paramLabel = "F", description = "A file with rules: alone.")
    private @Nullable Path rules;

    /** What these options name, from the working directory and the environment of this process. */
    ConfigInputs inputs(AddressIds ids) {
        return ConfigInputs.none(System.getenv(), Path.of("").toAbsolutePath(), ids)
                .withFiles(Optional.ofNullable(config), proxies, Optional.ofNullable(rules));
    }

    /** Whether they name anything at all. */
    boolean named() {
        return config != null || rules != null || !proxies.isEmpty();
    }

    /** What is read, in words. */
    String described() {
        List<String> files = new ArrayList<>();
        if (config != null) {
            files.add(config.toString());
        }
        proxies.forEach(file -> files.add(file.toString()));
        if (rules != null) {
            files.add(rules.toString());
        }
        return files.isEmpty() ? "no configuration: our own address at the default pace" : String.join(", ", files);
    }
}
