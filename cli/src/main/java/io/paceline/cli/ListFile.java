package io.paceline.cli;

import io.paceline.service.lists.ProxyList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the proxy list that a command names. */
final class ListFile {

    private ListFile() {}

    /** @throws Failure where the file cannot be read */
    static ProxyList read(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw Failure.input(file + ": this is a folder: name the file in it");
            }
            return ProxyList.read(Files.readAllBytes(file));
        } catch (NoSuchFileException missing) {
            throw Failure.input(file + ": the file does not exist: create it, or correct the path");
        } catch (IOException unreadable) {
            throw Failure.surroundings(file + ": the file cannot be read: check its permissions");
        }
    }

    static String shown(Path file, ProxyList.BadLine bad) {
        return file + ":" + bad.line() + ":1: " + bad.message();
    }
}
