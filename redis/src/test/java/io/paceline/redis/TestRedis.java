package io.paceline.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis of the tests' own on a free port of this machine, without persistence: the installed one where there is one, else
 * the one that comes with embedded-redis. It ends with the JVM, if nobody ends it before.
 */
final class TestRedis implements AutoCloseable {
    private static @Nullable TestRedis shared;

    private final int port;
    private final List<String> options;
    private @Nullable Process process;
    private @Nullable RedisClient client;

    private TestRedis(int port, List<String> options) {
        this.port = port;
        this.options = options;
    }

    /** One for all tests of this JVM that do not stop it; each takes a prefix of its own, or empties it. */
    static synchronized TestRedis shared() {
        if (shared == null) {
            shared = start();
            TestRedis ended = shared;
            Runtime.getRuntime().addShutdownHook(new Thread(ended::close));
        }
        return shared;
    }

    static TestRedis start(String... options) {
        TestRedis redis = new TestRedis(freePort(), List.of(options));
        redis.begin();
        return redis;
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins, or begins again, empty. */
    void begin() {
        List<String> command = new ArrayList<>(List.of(binary().toString()));
        if (!options.isEmpty() && !options.get(0).startsWith("--")) {
            command.add(options.get(0)); // a file of configuration comes first
        }
        command.addAll(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no"));
        command.addAll(options.stream()
                .skip(options.isEmpty() || options.get(0).startsWith("--") ? 0 : 1)
                .toList());
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitAnswer();
    }

    private void awaitAnswer() {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new UncheckedIOException("Redis does not begin on port " + port, e);
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Ends without a farewell. */
    void kill() {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroyForcibly();
            try {
                running.waitFor(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            client = null;
        }
        kill();
    }

    int port() {
        return port;
    }

    long pid() {
        Process running = process;
        return running == null ? -1 : running.pid();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** For what tests do beside the store. */
    RedisCommands<byte[], byte[]> commands() {
        if (client == null) {
            client = RedisClient.create(uri());
        }
        return client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    static Path binary() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path installed = Path.of(folder, "redis-server");
            if (Files.isExecutable(installed)) {
                return installed;
            }
        }
        return Bundled.BINARY;
    }

    /** Unpacked once a JVM. */
    private static final class Bundled {
        static final Path BINARY = unpack();

        private static Path unpack() {
            try {
                return ExecutableProvider.newJarResourceProvider().get().toPath();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
