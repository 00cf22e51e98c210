package io.paceline.demo.chaos;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One {@code redis-server} process on a port of its own, without persistence: when it ends, it forgets. */
final class RedisServer {
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Children children;
    private final String name;
    private final int port;
    private final List<String> options;
    private Process process;

    private RedisServer(Children children, String name, int port, List<String> options) throws IOException {
        this.children = children;
        this.name = name;
        this.port = port;
        this.options = options;
        this.process = launch();
    }

    /** @throws IOException where there is no redis-server, or it does not answer */
    static RedisServer start(Children children, String name, String... options) throws IOException {
        return new RedisServer(children, name, freePort(), List.of(options));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Path binary() throws IOException {
        return installed()
                .orElseThrow(
                        () -> new IOException("no redis-server in the PATH: install Redis 6.2 or newer, or Valkey under"
                                + " that name (on Debian and Ubuntu: apt-get install redis-server)"));
    }

    static Optional<Path> installed() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path there = Path.of(folder, "redis-server");
            if (Files.isExecutable(there)) {
                return Optional.of(there);
            }
        }
        return Optional.empty();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(binary().toString()));
        boolean hasFile = !options.isEmpty() && !options.get(0).startsWith("--");
        if (hasFile) {
            command.add(options.get(0));
        }
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        if (!options.contains("--sentinel")) {
            command.addAll(List.of("--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0"));
        }
        command.addAll(options.subList(hasFile ? 1 : 0, options.size()));
        Process started = children.start(name, command);
        awaitAnswer(started);
        return started;
    }

    private void awaitAnswer(Process started) throws IOException {
        long deadline = System.nanoTime() + START_NANOS;
        while (true) {
            try {
                ask("PING");
                return;
            } catch (IOException e) {
                if (!started.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("redis-server does not begin: " + children.lastWords(name), e);
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    int port() {
        return port;
    }

    Object ask(String... words) throws IOException {
        return Resp.ask(port, words);
    }

    void kill() {
        Children.kill(process);
    }

    /** Again, on the same port, and empty. */
    void begin(String... asWell) throws IOException {
        process = launch();
        if (asWell.length > 0) {
            ask(asWell);
        }
    }

    void signal(String signal) throws IOException {
        Children.signal(process, signal);
    }
}
