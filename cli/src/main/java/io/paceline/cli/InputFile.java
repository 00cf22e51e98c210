package io.paceline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that a command is to look at; {@code -} is the standard input. */
final class InputFile {
    private InputFile() {}

    /** @throws Failure where the file cannot be read */
    static byte[] read(Path file) {
        try {
            if (file.toString().equals("-")) {
                return System.in.readAllBytes();
            }
            if (Files.isDirectory(file)) {
                throw Failure.input(file + ": this is a folder: name the file in it");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw Failure.input(file + ": the file does not exist: create it, or correct the path");
        } catch (IOException unreadable) {
            throw Failure.surroundings(file + ": the file cannot be read: check its permissions");
        }
    }
}
