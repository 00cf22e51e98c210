package io.paceline.service.reload;

import io.paceline.service.config.ConfigError;
import java.util.List;

/**
 * What became of a wish to go by the files as they are now.
 *
 * @param outcome what became of it
 * @param generation the configuration in force afterwards: 1 at the start, one more with each that takes its place
 * @param changes what is otherwise than before, a sentence each
 * @param needsRestart what the files say and what only a restart can change, a sentence each
 * @param errors why it is broken; empty otherwise
 * @param warnings what works, but may not be meant
 */
public record ReloadResult(
        Outcome outcome,
        long generation,
        List<String> changes,
        List<String> needsRestart,
        List<ConfigError> errors,
        List<ConfigError> warnings) {

    /** What may become of it. */
    public enum Outcome {
        /** It is in force. */
        APPLIED("applied"),
        /** It says what is in force already. */
        UNCHANGED("unchanged"),
        /** It is not valid as a whole, and has changed nothing. */
        BROKEN("broken");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** The word of API and metrics. */
        public String word() {
            return word;
        }
    }

    public ReloadResult {
        changes = List.copyOf(changes);
        needsRestart = List.copyOf(needsRestart);
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }
}
