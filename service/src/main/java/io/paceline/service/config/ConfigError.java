package io.paceline.service.config;

import java.util.Comparator;
import java.util.Objects;

/**
 * One thing to put right, or to know about, in a configuration.
 *
 * @param file as the user wrote it, or an option such as {@code --api}
 * @param line counted from 1; 0 where there is none
 * @param column counted from 1
 * @param message what is wrong and what to write instead; never a secret
 */
public record ConfigError(String file, int line, int column, String message) {

    static final Comparator<ConfigError> BY_POSITION =
            Comparator.comparingInt(ConfigError::line).thenComparingInt(ConfigError::column);

    public ConfigError {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(message, "message");
    }

    /** {@code file:line:column: message}, which editors and terminals make a link of. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
