package io.paceline.service.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${NAME}} by the environment's value and {@code ${file:/path}} by a file's text, its final line end left
 * out. A second dollar sign in front of the brace keeps the characters as they are.
 */
final class Expansion {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(\\}?)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String FILE = "file:";
    private static final long MAX_FILE = 64 * 1024;

    private final Map<String, String> environment;
    private final Path folder;
    private final Masking masking;
    private final FilesRead files;

    /**
     * @param folder where relative paths of secret files start from
     * @param files is told which of these are read
     */
    Expansion(Map<String, String> environment, Path folder, Masking masking, FilesRead files) {
        this.files = files;
        this.environment = environment;
        this.folder = folder;
        this.masking = masking;
    }

    /** @throws IllegalArgumentException naming the variable or file that is missing, never a value */
    String expand(String text) {
        if (!text.contains("${")) {
            return text;
        }
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            String reference = matcher.group(1);
            matcher.appendReplacement(expanded, "");
            expanded.append(
                    reference == null
                            ? "${"
                            : value(reference, !matcher.group(2).isEmpty()));
        }
        return matcher.appendTail(expanded).toString();
    }

    private String value(String reference, boolean closed) {
        if (!closed) {
            throw new IllegalArgumentException("${ is not closed: write ${NAME}, or $${ for the characters themselves");
        }
        String value = reference.startsWith(FILE) ? file(reference.substring(FILE.length())) : variable(reference);
        masking.add(value, "${" + reference + "}");
        return value;
    }

    private String variable(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("${" + name
                    + "} is no name of a variable: write ${NAME}, ${file:/path}, or $${ for the characters themselves");
        }
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the environment variable " + name + " is not set: export " + name + "=... before the start");
        }
        return value;
    }

    private String file(String path) {
        try {
            Path resolved = folder.resolve(path);
            files.note(resolved);
            if (Files.size(resolved) <= MAX_FILE) {
                return Files.readString(resolved, StandardCharsets.UTF_8).replaceFirst("\\r?\\n\\z", "");
            }
        } catch (IOException | InvalidPathException unreadable) {
            throw new IllegalArgumentException(
                    "the secret file " + path + " cannot be read: create it, or correct the path", unreadable);
        }
        throw new IllegalArgumentException(
                "the secret file " + path + " has more than " + MAX_FILE + " bytes: name a file with the secret alone");
    }
}
