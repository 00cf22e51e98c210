package io.paceline.service.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files that one configuration was read from, each as it looked just before it was read: what differs from it later has
 * changed since.
 */
final class FilesRead {

    private final Map<Path, FileStamp> stamps = new LinkedHashMap<>();

    /** Is told of a file before that is opened, be it there or not. */
    void note(Path file) {
        stamps.computeIfAbsent(file.toAbsolutePath(), FileStamp::of);
    }

    Map<Path, FileStamp> stamps() {
        return new LinkedHashMap<>(stamps);
    }
}
