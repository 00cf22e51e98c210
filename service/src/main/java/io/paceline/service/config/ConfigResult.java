package io.paceline.service.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A configuration that holds, or everything that keeps it from holding. */
public sealed interface ConfigResult {

    /** The configuration is valid as a whole. */
    record Loaded(ServiceConfig config) implements ConfigResult {}

    /**
     * At least one error; all of them, in the order of the files and of the lines in them.
     *
     * @param files what was read, or was to be read: a change of it may mend the configuration
     */
    record Broken(List<ConfigError> errors, Map<Path, FileStamp> files) implements ConfigResult {
        public Broken {
            errors = List.copyOf(errors);
            files = Map.copyOf(files);
            if (errors.isEmpty()) {
                throw new IllegalArgumentException("errors is empty");
            }
        }
    }

    default <T> T match(Function<ServiceConfig, T> onLoaded, Function<List<ConfigError>, T> onBroken) {
        return this instanceof Loaded loaded
                ? onLoaded.apply(loaded.config())
                : onBroken.apply(((Broken) this).errors());
    }
}
