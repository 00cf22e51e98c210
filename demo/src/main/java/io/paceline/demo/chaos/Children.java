package io.paceline.demo.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one run and their folder: whatever happens, they end with it. Each is ended by its own handle, also when the
 * run itself is ended by a signal. Thread-safe.
 */
final class Children implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private boolean closed;

    Children() throws IOException {
        folder = Files.createTempDirectory("paceline-chaos");
    }

    Path folder() {
        return folder;
    }

    /** Starts one whose output goes to a file of the folder. */
    synchronized Process start(String name, List<String> command) throws IOException {
        if (closed) {
            throw new IOException("the run is over");
        }
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
        processes.add(process);
        return process;
    }

    Path log(String name) {
        return folder.resolve(name + ".out");
    }

    /** The last words of a process, for an error. */
    String lastWords(String name) {
        try {
            String all = Files.readString(log(name));
            return all.substring(Math.max(0, all.length() - 1_000)).strip();
        } catch (IOException e) {
            return "it has said nothing";
        }
    }

    /** Signal 9, and waits until it is gone. */
    static void kill(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops a process where it stands, or lets it go on: {@code STOP}, {@code CONT}. */
    static void signal(Process process, String signal) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        try {
            if (kill.waitFor() != 0) {
                throw new IOException("kill -" + signal + " " + process.pid() + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** May be called more than once. */
    @Override
    public void close() {
        List<Process> ending;
        synchronized (this) {
            closed = true;
            ending = List.copyOf(processes);
        }
        ending.forEach(Process::destroyForcibly);
        ending.forEach(Children::kill);
        remove();
    }

    private void remove() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // The system's own cleaning of temporary files takes what is left.
        }
    }
}
