package io.paceline.service.reload;

import io.paceline.service.config.ConfigError;
import java.util.List;

/**
 * Which configuration is in force, and whether the files still say so. Immutable.
 *
 * @param generation 1 at the start, one more with each configuration that takes its place
 * @param sinceMicros since when it is in force
 * @param errors why the files as they were read last are not; empty where they are
 * @param brokenSinceMicros when they were first found broken; 0 where they are not
 * @param needsRestart what the files say and what only a restart can change
 */
public record ConfigState(
        long generation,
        long sinceMicros,
        List<ConfigError> errors,
        long brokenSinceMicros,
        List<String> needsRestart) {

    public ConfigState {
        errors = List.copyOf(errors);
        needsRestart = List.copyOf(needsRestart);
    }

    /** The configuration of the start. */
    public static ConfigState started(long nowMicros) {
        return new ConfigState(1, nowMicros, List.of(), 0, List.of());
    }

    /** Whether the files are valid as they were read last. */
    public boolean valid() {
        return errors.isEmpty();
    }
}
