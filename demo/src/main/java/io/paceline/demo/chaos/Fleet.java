package io.paceline.demo.chaos;

import io.paceline.demo.ApiClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The gatekeepers of a run: {@code serve}, each a process of its own with the same configuration and keys. Thread-safe. */
final class Fleet {
    private static final String READY = "ready api=";
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Longer than any call is held; who is silent for longer has no answer. */
    private static final int SILENCE_MILLIS = 2_000;

    private final Children children;
    private final List<String> serve;
    private final RedisFarm redis;
    private final Path configuration;
    private final Consumer<Gatekeeper> born;
    private final List<Gatekeeper> alive = new CopyOnWriteArrayList<>();

    /**
     * @param serve the words that begin {@code paceline serve}
     * @param born hears of each that is ready, before anybody else asks it
     */
    Fleet(Children children, List<String> serve, RedisFarm redis, Path configuration, Consumer<Gatekeeper> born) {
        this.children = children;
        this.serve = List.copyOf(serve);
        this.redis = redis;
        this.configuration = configuration;
        this.born = born;
    }

    /** The first alone, since it makes the keys; then the others at once. */
    void start(int count) throws IOException {
        await(0, "g1", launch(0, "g1"));
        List<Process> starting = new ArrayList<>();
        for (int place = 1; place < count; place++) {
            Files.createDirectories(data(place));
            Files.copy(data(0).resolve("secret.key"), data(place).resolve("secret.key"));
            starting.add(launch(place, "g" + (place + 1)));
        }
        for (int place = 1; place < count; place++) {
            await(place, "g" + (place + 1), starting.get(place - 1));
        }
    }

    private Path data(int place) {
        return children.folder().resolve("data-" + place);
    }

    private Process launch(int place, String name) throws IOException {
        List<String> command = new ArrayList<>(serve);
        command.addAll(List.of(
                "--config",
                configuration.toString(),
                "--store",
                redis.address(place),
                "--data",
                data(place).toString(),
                "--api",
                "127.0.0.1:0",
                "--proxy",
                "127.0.0.1:0"));
        return children.start(name, command);
    }

    private void await(int place, String name, Process process) throws IOException {
        long deadline = System.nanoTime() + START_NANOS;
        while (true) {
            String said = Files.readString(children.log(name), StandardCharsets.UTF_8);
            int at = said.indexOf(READY);
            int end = said.indexOf(' ', at + READY.length());
            if (at >= 0 && end > 0) {
                Gatekeeper gatekeeper = new Gatekeeper(
                        name, place, process, new ApiClient(said.substring(at + READY.length(), end), SILENCE_MILLIS));
                born.accept(gatekeeper);
                alive.add(gatekeeper);
                return;
            }
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("gatekeeper " + name + " does not begin: " + children.lastWords(name));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    List<Gatekeeper> alive() {
        return List.copyOf(alive);
    }

    /** Any of those that run, as a load balancer would choose. */
    Gatekeeper any(RandomGenerator random) {
        List<Gatekeeper> some = alive();
        return some.get(random.nextInt(some.size()));
    }

    /** Signal 9. Returns when the process is gone. */
    void kill(Gatekeeper victim) {
        alive.remove(victim);
        Children.kill(victim.process());
        victim.api().close();
    }

    /** In the place of one that was killed. */
    Gatekeeper restart(Gatekeeper killed) throws IOException {
        String name = killed.name() + "'";
        await(killed.place(), name, launch(killed.place(), name));
        return alive.get(alive.size() - 1);
    }
}
