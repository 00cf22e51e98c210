package io.paceline.cli;

import java.util.List;

/** A command that cannot go on; the exit code says whose turn it is, the lines what to do. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The input is wrong. */
    static final int INPUT = 1;
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** The surroundings fail: a port is taken, a folder cannot be written. */
    static final int SURROUNDINGS = 3;

    private final int exitCode;

    private Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static Failure input(String message) {
        return new Failure(INPUT, message);
    }

    /** Each line is one thing to put right. */
    static Failure input(List<String> lines) {
        return new Failure(INPUT, String.join(System.lineSeparator(), lines));
    }

    static Failure surroundings(String message) {
        return new Failure(SURROUNDINGS, message);
    }

    int exitCode() {
        return exitCode;
    }
}
