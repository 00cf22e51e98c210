package io.paceline.service.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Loads configurations for tests. */
final class Configs {

    static final AddressIds IDS = AddressIds.keyed("0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    private Configs() {}

    static ConfigInputs inputs(Path folder) {
        return ConfigInputs.none(Map.of(), folder, IDS);
    }

    static ConfigInputs inputs(Path folder, Map<String, String> environment) {
        return ConfigInputs.none(environment, folder, IDS);
    }

    /** Writes the text as the configuration and loads it. */
    static ConfigResult load(Path folder, Map<String, String> environment, String yaml) {
        write(folder, "paceline.yaml", yaml);
        return ConfigLoader.load(inputs(folder, environment).withConfig(Path.of("paceline.yaml")));
    }

    static ServiceConfig loaded(Path folder, String yaml) {
        return loaded(load(folder, Map.of(), yaml));
    }

    static ServiceConfig loaded(ConfigResult result) {
        return result.match(config -> config, errors -> {
            throw new AssertionError("broken: " + errors);
        });
    }

    /** The errors as they are printed. */
    static List<String> errors(Path folder, String yaml) {
        return errors(load(folder, Map.of(), yaml));
    }

    static List<String> errors(ConfigResult result) {
        return result.match(
                config -> {
                    throw new AssertionError("loaded: " + config);
                },
                errors -> errors.stream().map(ConfigError::toString).toList());
    }

    static Path write(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
