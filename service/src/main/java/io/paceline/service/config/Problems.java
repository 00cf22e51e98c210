package io.paceline.service.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Gathers errors and warnings over all files of one configuration, so that one run shows them all. */
final class Problems {

    /** More than anybody reads; a file that is no configuration at all must not flood the terminal. */
    private static final int MAX_ERRORS = 100;

    private final Masking masking;
    private final Map<String, List<ConfigError>> errors = new LinkedHashMap<>();
    private final Map<String, List<ConfigError>> warnings = new LinkedHashMap<>();

    Problems(Masking masking) {
        this.masking = masking;
    }

    void error(String file, Optional<Mark> mark, String message) {
        add(errors, at(file, mark, message));
    }

    void error(String file, int line, int column, String message) {
        add(errors, new ConfigError(file, line, column, masking.mask(message)));
    }

    void warning(String file, Optional<Mark> mark, String message) {
        add(warnings, at(file, mark, message));
    }

    void warning(String file, int line, int column, String message) {
        add(warnings, new ConfigError(file, line, column, masking.mask(message)));
    }

    boolean any() {
        return !errors.isEmpty();
    }

    int count() {
        return errors.values().stream().mapToInt(List::size).sum();
    }

    List<ConfigError> errors() {
        List<ConfigError> all = sorted(errors);
        return all.size() > MAX_ERRORS ? all.subList(0, MAX_ERRORS) : all;
    }

    List<ConfigError> warnings() {
        return sorted(warnings);
    }

    /** Marks count from 0. */
    private ConfigError at(String file, Optional<Mark> mark, String message) {
        return new ConfigError(
                file,
                mark.map(m -> m.getLine() + 1).orElse(0),
                mark.map(m -> m.getColumn() + 1).orElse(0),
                masking.mask(message));
    }

    private static void add(Map<String, List<ConfigError>> to, ConfigError error) {
        to.computeIfAbsent(error.file(), file -> new ArrayList<>()).add(error);
    }

    /** Files in the order of their first problem, lines in the order of the file. */
    private static List<ConfigError> sorted(Map<String, List<ConfigError>> problems) {
        List<ConfigError> all = new ArrayList<>();
        for (List<ConfigError> ofFile : problems.values()) {
            ofFile.stream().sorted(ConfigError.BY_POSITION).distinct().forEach(all::add);
        }
        return all;
    }
}
