package io.paceline.service.config;

import java.util.List;
import java.util.function.Function;

/** A configuration that holds, or everything that keeps it from holding. */
public sealed interface ConfigResult {

    /** The configuration is valid as a whole. */
    record Loaded(ServiceConfig config) implements ConfigResult {}

    /** At least one error; all of them, in the order of the files and of the lines in them. */
    record Broken(List<ConfigError> errors) implements ConfigResult {
        public Broken {
            errors = List.copyOf(errors);
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
