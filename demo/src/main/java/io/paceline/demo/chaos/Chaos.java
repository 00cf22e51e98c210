package io.paceline.demo.chaos;

import io.paceline.demo.chaos.RedisFarm.Shape;
import io.paceline.demo.history.Checker;
import io.paceline.demo.history.Finding;
import io.paceline.demo.history.History;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Several real gatekeepers over a real Redis of their own, under load from many callers, while one fault after another befalls
 * them; then everything that callers were told is held against what is promised.
 */
public final class Chaos {
    private static final int MOST_GATEKEEPERS = 16;
    private static final int MOST_CLIENTS = 512;
    private static final int LONGEST_SECONDS = 24 * 3_600;
    private static final int TAIL_SECONDS = 2;
    /** Until the last caller has begun: young processes are slow. */
    private static final int RAMP_MILLIS = 3_000;

    private static final long PROGRESS_MILLIS = 2_000;
    private static final long END_MILLIS = 10_000;

    /**
     * What to do.
     *
     * @param serve the words that begin {@code paceline serve} on this machine
     * @param seconds the faults are spread over so long; the run lasts longer where they do
     * @param redis {@code single}, {@code sentinel} or {@code cluster}
     * @param faults such as {@code kill} or {@code redis-stop:30}, in their order; null for the usual ones
     * @param history a file for everything that callers were told, as JSON lines; null for none
     */
    public record Options(
            List<String> serve,
            int seconds,
            int gatekeepers,
            int clients,
            long seed,
            String redis,
            @Nullable List<String> faults,
            boolean json,
            @Nullable Path history) {
        public static final int DEFAULT_SECONDS = 60;
        public static final int DEFAULT_GATEKEEPERS = 4;
        public static final int DEFAULT_CLIENTS = 64;

        public Options {
            serve = List.copyOf(serve);
            faults = faults == null ? null : List.copyOf(faults);
            between("seconds", seconds, 1, LONGEST_SECONDS);
            between("gatekeepers", gatekeepers, 1, MOST_GATEKEEPERS);
            between("clients", clients, 1, MOST_CLIENTS);
        }

        private static void between(String name, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        "--" + name + " is " + value + ": it must be from " + least + " to " + most);
            }
        }
    }

    /**
     * What came of it.
     *
     * @param text the table, or JSON
     * @param broken how many promises were broken
     */
    public record Result(String text, int broken) {}

    private final Options options;
    private final Shape shape;
    private final List<FaultKind.Planned> plan;
    private final PrintWriter progress;
    private volatile boolean running = true;
    private @Nullable Children children;

    /** @throws IllegalArgumentException where an option cannot be followed; says what to write instead */
    public Chaos(Options options, PrintWriter progress) {
        this.options = options;
        this.progress = progress;
        this.shape = shape(options.redis);
        List<String> words = options.faults == null ? FaultKind.usual(shape) : options.faults;
        this.plan =
                words.stream().map(word -> FaultKind.Planned.parse(word, shape)).toList();
        if (options.gatekeepers == 1 && plan.stream().anyMatch(fault -> fault.kind() == FaultKind.KILL)) {
            throw new IllegalArgumentException(
                    "fault kill with one gatekeeper leaves none: take --gatekeepers 2 or more");
        }
    }

    private static Shape shape(String word) {
        return Arrays.stream(Shape.values())
                .filter(shape -> shape.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--redis is '" + word + "': it must be single, sentinel or cluster"));
    }

    /** What may be written for {@code --faults}, a line each. */
    public static List<String> faults() {
        return Arrays.stream(FaultKind.values())
                .map(kind -> String.format(Locale.ROOT, "%-14s %s", kind.word(), kind.words()))
                .toList();
    }

    /**
     * Takes as long as it takes.
     *
     * @throws IOException where the surroundings fail: no redis-server, a process that does not begin or ends by itself
     */
    public Result run() throws IOException, InterruptedException {
        try (Children processes = new Children()) {
            synchronized (this) {
                children = processes;
            }
            return run(processes);
        } finally {
            running = false;
        }
    }

    /** Ends what was started, from another thread, such as at a signal. */
    public synchronized void abandon() {
        running = false;
        if (children != null) {
            children.close();
        }
    }

    private Result run(Children processes) throws IOException, InterruptedException {
        boolean wires = plan.stream().anyMatch(fault -> fault.kind().onTheWire());
        say("starting redis-server (%s) and %d gatekeepers", shape.word(), options.gatekeepers);
        try (RedisFarm redis = RedisFarm.start(processes, shape, wires ? options.gatekeepers : 0)) {
            Path configuration = processes.folder().resolve("paceline.yaml");
            Files.writeString(configuration, Asks.yaml());
            Clock clock = new Clock();
            Recorder looks = new Recorder();
            Watcher watcher = new Watcher(clock, looks, () -> running);
            Fleet fleet = new Fleet(processes, options.serve, redis, configuration, watcher::watch);
            fleet.start(options.gatekeepers);
            return load(processes, redis, fleet, watcher, looks, clock);
        }
    }

    private Result load(Children processes, RedisFarm redis, Fleet fleet, Watcher watcher, Recorder looks, Clock clock)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(options.seed);
        List<Recorder> recorders = new ArrayList<>(List.of(looks));
        List<Thread> threads = new ArrayList<>();
        Pulse pulse = new Pulse();
        for (int i = 0; i < options.clients; i++) {
            Recorder recorder = new Recorder();
            recorders.add(recorder);
            threads.add(start(
                    "caller-" + i,
                    new Caller(
                            fleet,
                            clock,
                            recorder,
                            pulse,
                            random.split(),
                            RAMP_MILLIS * i / options.clients,
                            () -> running)));
        }
        Recorder orders = new Recorder();
        recorders.add(orders);
        threads.add(start("operator", new Operator(fleet, clock, orders, random.split(), () -> running)));

        long began = clock.micros();
        Faults faults = new Faults(fleet, redis, watcher, pulse, clock, random.split());
        befall(faults, pulse, clock, began);
        long ended = clock.micros();
        for (Gatekeeper gatekeeper : fleet.alive()) {
            if (!gatekeeper.process().isAlive()) {
                throw new IOException("gatekeeper " + gatekeeper.name() + " has ended by itself: "
                        + processes.lastWords(gatekeeper.name()));
            }
        }
        running = false;
        for (Thread thread : threads) {
            thread.join(END_MILLIS);
        }
        faults.past().forEach(fault -> orders.write(fault.event()));
        return judge(recorders, faults, began, ended);
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Spread evenly, each once all is as before again. */
    private void befall(Faults faults, Pulse pulse, Clock clock, long began) throws IOException, InterruptedException {
        long all = TimeUnit.SECONDS.toMicros(options.seconds);
        for (int i = 0; i < plan.size(); i++) {
            goOn(pulse, clock, began, began + all * (i + 1) / (plan.size() + 1));
            FaultKind.Planned next = plan.get(i);
            say("%6.1f s  %s", (clock.micros() - began) / 1e6, next.kind().words());
            Faults.Past past = faults.befall(next);
            say(
                    past.recoveredMicros() < 0 ? "%6.1f s  not all is as before yet" : "%6.1f s  all is as before",
                    (clock.micros() - began) / 1e6);
            TimeUnit.SECONDS.sleep(TAIL_SECONDS);
        }
        goOn(pulse, clock, began, began + all);
    }

    private void goOn(Pulse pulse, Clock clock, long began, long until) throws InterruptedException {
        while (clock.micros() < until && running) {
            TimeUnit.MICROSECONDS.sleep(
                    Math.min(until - clock.micros() + 1, TimeUnit.MILLISECONDS.toMicros(PROGRESS_MILLIS)));
            say("%6.1f s  %,d permits", (clock.micros() - began) / 1e6, pulse.permits());
        }
    }

    private Result judge(List<Recorder> recorders, Faults faults, long began, long ended) throws IOException {
        History history = History.merge(recorders.stream().map(Recorder::events).toList());
        say("checking %,d events", history.events().size());
        List<Finding> findings = Checker.check(history, Asks.PROMISES);
        if (options.history != null) {
            HistoryFile.write(options.history, history);
        }
        Figures figures = new Figures(options, shape, history, faults.past(), findings, began, ended);
        String text = options.json ? new ReportJson(figures).write() : new ReportTable(figures).write();
        return new Result(text, figures.brokenPromises());
    }

    private void say(String format, Object... arguments) {
        progress.println(String.format(Locale.ROOT, format, arguments));
        progress.flush();
    }
}
