package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A site of a few thousand pages. It knows a visitor by the address that connects and a session by its cookie, asks some
 * addresses for captchas, and answers 429 where more come than it serves.
 */
final class Site implements Closeable {
    /** What making a page takes, in milliseconds: at least, and at most so much more. */
    private static final int THINKING = 5;

    private static final int THINKING_SPREAD = 15;

    /** Of the requests to a sick site. */
    private static final double HANGING_SHARE = 0.2;

    private static final String COOKIE = "session=";

    private final SiteSpec spec;
    private final Set<String> captchaFor;
    private final Draws draws;
    private final SiteLog log = new SiteLog();
    private final Gauge limit;
    private final LoopbackServer server;
    private final Set<String> failedFor = ConcurrentHashMap.newKeySet();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean sick;

    /** The limit behind a lock, with the time read inside it, so that time never runs backwards for it. */
    private static final class Gauge {
        private final ServedLimit limit;

        Gauge(ServedLimit limit) {
            this.limit = limit;
        }

        synchronized boolean serves() {
            return limit.take(System.nanoTime() / 1_000);
        }
    }

    private Site(SiteSpec spec, Set<String> captchaFor, Draws draws, Executor threads) throws IOException {
        this.spec = spec;
        this.captchaFor = Set.copyOf(captchaFor);
        this.draws = draws;
        this.limit = new Gauge(new ServedLimit(spec.served() == 0 ? UNLIMITED : spec.served()));
        this.server = LoopbackServer.start(Sockets.address(spec.host()), threads, this::serve);
    }

    /** Far more than a demo sends. */
    private static final int UNLIMITED = 100_000;

    /** @param captchaFor the addresses that get captchas */
    static Site start(SiteSpec spec, Set<String> captchaFor, Draws draws, Executor threads) throws IOException {
        return new Site(spec, captchaFor, draws, threads);
    }

    SiteSpec spec() {
        return spec;
    }

    /** {@code http://127.0.0.2:40123}. */
    String url() {
        return "http://" + spec.host() + ":" + server.port();
    }

    /** From now on it answers 503 to everybody, or, to a fifth, nothing at all; or no more. */
    void sick(boolean now) {
        sick = now;
    }

    /** The addresses that met its sickness. */
    Set<String> failedFor() {
        return Set.copyOf(failedFor);
    }

    SiteLog.Counts counts() {
        return log.counts();
    }

    private void serve(Socket connection) throws IOException, InterruptedException {
        String address = connection.getInetAddress().getHostAddress();
        Http.Head head = Http.readHead(new BufferedInputStream(connection.getInputStream()));
        log.arrived(address, session(head));
        if (sick) {
            failedFor.add(address);
            fail(connection);
        } else if (!limit.serves()) {
            log.tooMany();
            Http.answer(connection.getOutputStream(), 429, "Too Many Requests", "Retry-After: 1\r\n", "Slow down.\n");
        } else if (captchaFor.contains(address)) {
            log.captcha();
            Http.answer(connection.getOutputStream(), 403, "Forbidden", "", "<h1>Are you human?</h1>captcha\n");
        } else {
            String path = head.word(1);
            Thread.sleep(THINKING + draws.below(THINKING_SPREAD, path.hashCode(), 0));
            Http.answer(connection.getOutputStream(), 200, "OK", "", page(path));
        }
    }

    private void fail(Socket connection) throws IOException {
        if (draws.unit(spec.host().hashCode(), failed.getAndIncrement()) < HANGING_SHARE) {
            // Until the visitor has had enough.
            connection.getInputStream().transferTo(OutputStream.nullOutputStream());
        } else {
            Http.answer(connection.getOutputStream(), 503, "Service Unavailable", "", "Back soon.\n");
        }
    }

    private static String session(Http.Head head) {
        String cookie = head.field("cookie");
        return cookie == null || !cookie.startsWith(COOKIE) ? "" : cookie.substring(COOKIE.length());
    }

    private String page(String path) {
        return "<!doctype html><title>" + spec.name() + path + "</title>\n"
                + "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n".repeat(20);
    }

    @Override
    public void close() {
        server.close();
    }
}
