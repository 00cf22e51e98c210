package io.paceline.demo.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A wire of one gatekeeper to its Redis that can be made slow, or cut: what comes in at one end leaves at the other after a
 * delay, in order, however much is under way.
 */
final class Relay implements Closeable {
    private static final int CONNECT_MILLIS = 2_000;
    private static final int CHUNK = 16 * 1024;

    private static final class Chunk {
        static final Chunk END = new Chunk(0, new byte[0]);

        private final long dueNanos;
        private final byte[] octets;

        Chunk(long dueNanos, byte[] octets) {
            this.dueNanos = dueNanos;
            this.octets = octets;
        }
    }

    private final ServerSocket entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int redisPort;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile long delayNanos;
    private volatile boolean cut;

    Relay(int redisPort) throws IOException {
        this.redisPort = redisPort;
        run("accept", this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    /** Of each direction from now on. */
    void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** All connections break, and none is taken until it is mended. */
    void cut(boolean now) {
        cut = now;
        if (now) {
            open.forEach(Relay::close);
        }
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket client = entry.accept();
                if (cut) {
                    close(client);
                } else {
                    join(client);
                }
            } catch (IOException e) {
                // This caller has gone, or Redis has: the next one may fare better.
            }
        }
    }

    private void join(Socket client) throws IOException {
        Socket redis = new Socket();
        open.add(client);
        open.add(redis);
        try {
            redis.connect(Resp.loopback(redisPort), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            redis.setTcpNoDelay(true);
        } catch (IOException e) {
            end(client, redis);
            throw e;
        }
        wire(client, redis);
        wire(redis, client);
    }

    private void wire(Socket from, Socket to) {
        BlockingQueue<Chunk> under = new LinkedBlockingQueue<>();
        run("in", () -> take(from, under));
        run("out", () -> {
            give(under, to);
            end(from, to);
        });
    }

    private void take(Socket from, BlockingQueue<Chunk> under) {
        byte[] buffer = new byte[CHUNK];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                under.add(new Chunk(System.nanoTime() + delayNanos, Arrays.copyOf(buffer, read)));
            }
        } catch (IOException e) {
            // As good as its end.
        }
        under.add(Chunk.END);
    }

    private static void give(BlockingQueue<Chunk> under, Socket to) {
        try {
            for (Chunk next = under.take(); next != Chunk.END; next = under.take()) {
                for (long left = next.dueNanos - System.nanoTime();
                        left > 0;
                        left = next.dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                to.getOutputStream().write(next.octets);
            }
        } catch (IOException e) {
            // As good as its end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Socket one, Socket other) {
        close(one);
        close(other);
        open.remove(one);
        open.remove(other);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed all the same.
        }
    }

    private static void run(String name, Runnable task) {
        Thread thread = new Thread(task, "relay-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        entry.close();
        open.forEach(Relay::close);
    }
}
