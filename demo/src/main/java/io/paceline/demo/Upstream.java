package io.paceline.demo;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An upstream HTTP proxy with an address of its own on loopback, where it listens and from where it connects to sites:
 * absolute-form requests, one a connection, and CONNECT. How it misbehaves is drawn from the seed by its number and the
 * number of the request.
 */
final class Upstream implements Closeable {
    /** What a slow proxy adds, in milliseconds: at least, and at most so much more. */
    private static final int SLOWNESS = 250;

    private static final int SLOWNESS_SPREAD = 100;
    private static final double FLAKY_SHARE = 0.5;
    private static final int CONNECT_MILLIS = 1_000;

    /** Fields that end at a proxy. */
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "proxy-connection", "keep-alive", "proxy-authorization", "te", "upgrade");

    private final int number;
    private final InetAddress address;
    private final Temper temper;
    private final Draws draws;
    private final Executor threads;
    private final AtomicLong requests = new AtomicLong();
    private final Closeable socket;
    private final int port;
    private volatile boolean cutOff;
    private volatile boolean hasDropped;

    private Upstream(int number, Temper temper, Draws draws, Executor threads) throws IOException {
        this.number = number;
        this.address = Sockets.address("127.0.1." + number);
        this.temper = temper;
        this.draws = draws;
        this.threads = threads;
        if (temper == Temper.DEAD) {
            Socket reserved = refusing(address);
            this.socket = reserved;
            this.port = reserved.getLocalPort();
        } else {
            LoopbackServer server = LoopbackServer.start(address, threads, this::serve);
            this.socket = server;
            this.port = server.port();
        }
    }

    /** @param number from 1; the last part of its address 127.0.1.x too */
    static Upstream start(int number, Temper temper, Draws draws, Executor threads) throws IOException {
        return new Upstream(number, temper, draws, threads);
    }

    /** A port that is bound and does not listen: it refuses connections, and nobody else can take it meanwhile. */
    private static Socket refusing(InetAddress address) throws IOException {
        Socket bound = new Socket();
        bound.bind(new InetSocketAddress(address, 0));
        return bound;
    }

    Temper temper() {
        return temper;
    }

    /** The address that sites see. */
    String address() {
        return address.getHostAddress();
    }

    int port() {
        return port;
    }

    /** From now on it drops every connection at once, or no more. What is under way goes on. */
    void cutOff(boolean now) {
        cutOff = now;
    }

    /** Whether anybody was dropped by {@link #cutOff}. */
    boolean hasDropped() {
        return hasDropped;
    }

    /** The line of a proxy list. */
    String line() {
        return "http://" + address() + ":" + port;
    }

    private void serve(Socket client) throws IOException, InterruptedException {
        if (cutOff) {
            hasDropped = true;
            Sockets.reset(client);
            return;
        }
        InputStream in = new BufferedInputStream(client.getInputStream());
        Http.Head head = Http.readHead(in);
        if (misbehaves(requests.getAndIncrement(), in)) {
            return;
        }
        try {
            if (head.word(0).equals("CONNECT")) {
                tunnel(Authority.parse(head.word(1)), client, in);
            } else {
                forward(head, client);
            }
        } catch (IllegalArgumentException e) {
            Http.answer(client.getOutputStream(), 400, "Bad Request", "", "This is a proxy: send http://host/path.\n");
        }
    }

    /** Where a CONNECT wants to go. */
    private record Authority(String host, int port) {
        static Authority parse(String text) {
            int colon = text.lastIndexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("no port");
            }
            return new Authority(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        }
    }

    /** True where the request ends here: the connection is closed without a word. */
    private boolean misbehaves(long request, InputStream in) throws IOException, InterruptedException {
        switch (temper) {
            case HANGING -> {
                in.transferTo(OutputStream.nullOutputStream()); // until the client has had enough
                return true;
            }
            case FLAKY -> {
                return draws.unit(number, request) < FLAKY_SHARE;
            }
            case SLOW -> Thread.sleep(SLOWNESS + draws.below(SLOWNESS_SPREAD, number, request));
            default -> {}
        }
        return false;
    }

    /** Absolute form in, origin form out; the site's answer passes as it comes. */
    private void forward(Http.Head head, Socket client) throws IOException {
        URI url = URI.create(head.word(1));
        if (url.getHost() == null) {
            throw new IllegalArgumentException("not in absolute form");
        }
        try (Socket site = connect(url.getHost(), url.getPort() < 0 ? 80 : url.getPort())) {
            Http.send(site.getOutputStream(), originForm(head, url), new byte[0]);
            site.getInputStream().transferTo(client.getOutputStream());
        }
    }

    private static String originForm(Http.Head head, URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        StringBuilder out = new StringBuilder(256);
        out.append(head.word(0)).append(' ').append(path).append(query).append(" HTTP/1.1\r\n");
        for (Map.Entry<String, String> field : head.fields().entrySet()) {
            if (!HOP_BY_HOP.contains(field.getKey())) {
                out.append(field.getKey()).append(": ").append(field.getValue()).append("\r\n");
            }
        }
        return out.append("connection: close\r\n\r\n").toString();
    }

    private void tunnel(Authority to, Socket client, InputStream in) throws IOException {
        try (Socket site = connect(to.host(), to.port())) {
            Http.send(client.getOutputStream(), "HTTP/1.1 200 Connection established\r\n\r\n", new byte[0]);
            threads.execute(() -> pump(in, site));
            site.getInputStream().transferTo(client.getOutputStream());
        }
    }

    private static void pump(InputStream from, Socket to) {
        try {
            from.transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            Sockets.close(to);
        }
    }

    private Socket connect(String host, int sitePort) throws IOException {
        Socket site = new Socket();
        try {
            site.setTcpNoDelay(true);
            site.bind(new InetSocketAddress(address, 0));
            site.connect(new InetSocketAddress(host, sitePort), CONNECT_MILLIS);
            return site;
        } catch (IOException e) {
            Sockets.close(site);
            throw e;
        }
    }

    @Override
    public void close() {
        Sockets.close(socket);
    }
}
