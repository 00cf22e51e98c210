package io.paceline.cli;

import io.paceline.Endpoint;
import io.paceline.service.lists.ProxyEntry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Opens one TCP connection to each host and port of a list, a bounded number at a time, and closes it again. */
final class ConnectTest {

    /** How often a long run says how far it is. */
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    private final Duration timeout;
    private final int concurrency;
    private final Consumer<String> progress;

    /**
     * What became of one connection.
     *
     * @param millis how long it took
     * @param reason empty where it was reachable
     */
    record Outcome(boolean reachable, long millis, String reason) {
        /** Our own address needs no connection. */
        static final Outcome DIRECT = new Outcome(true, 0, "");

        String words() {
            return equals(DIRECT) ? "our own address" : reachable ? "connected in " + millis + " ms" : reason;
        }
    }

    ConnectTest(Duration timeout, int concurrency, Consumer<String> progress) {
        this.timeout = timeout;
        this.concurrency = concurrency;
        this.progress = progress;
    }

    /** The outcome of each entry in its order; the many sessions of one gateway share one connection. */
    Map<ProxyEntry, Outcome> run(List<ProxyEntry> entries) {
        Map<String, Future<Outcome>> running = new LinkedHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(concurrency, task -> {
            Thread thread = new Thread(task, "connect-test");
            thread.setDaemon(true);
            return thread;
        });
        try {
            for (ProxyEntry entry : entries) {
                Endpoint endpoint = entry.endpoint();
                running.computeIfAbsent(endpoint.authority(), key -> threads.submit(() -> connect(endpoint)));
            }
            return collect(entries, running);
        } finally {
            threads.shutdownNow();
        }
    }

    private Map<ProxyEntry, Outcome> collect(List<ProxyEntry> entries, Map<String, Future<Outcome>> running) {
        Map<ProxyEntry, Outcome> outcomes = new LinkedHashMap<>();
        for (ProxyEntry entry : entries) {
            Future<Outcome> future = running.get(entry.endpoint().authority());
            if (future != null) {
                outcomes.put(entry, await(future, running));
            }
        }
        return outcomes;
    }

    private Outcome await(Future<Outcome> future, Map<String, Future<Outcome>> running) {
        while (true) {
            try {
                return future.get(PROGRESS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException stillRunning) {
                long done = running.values().stream().filter(Future::isDone).count();
                progress.accept("tested " + done + " of " + running.size());
            } catch (ExecutionException unexpected) {
                return new Outcome(false, 0, "cannot be tested: " + unexpected.getCause());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw Failure.surroundings("stopped");
            }
        }
    }

    private Outcome connect(Endpoint endpoint) {
        if (endpoint.isDirect()) {
            return Outcome.DIRECT;
        }
        long start = System.nanoTime();
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            return new Outcome(false, 0, "the name is unknown: check its spelling, or the resolver");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.toIntExact(timeout.toMillis()));
            return new Outcome(true, Math.max(1, (System.nanoTime() - start) / 1_000_000), "");
        } catch (SocketTimeoutException slow) {
            return new Outcome(false, 0, "no answer within " + timeout.toSeconds() + " s");
        } catch (ConnectException refused) {
            return new Outcome(false, 0, "connection refused: nothing listens there");
        } catch (NoRouteToHostException unreachable) {
            return new Outcome(false, 0, "no route to it");
        } catch (IOException other) {
            return new Outcome(false, 0, "cannot connect: " + other.getMessage());
        }
    }
}
