package io.paceline.service.proxy;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An upstream or a target of a test: plays its script on each connection, and keeps the heads that it read. */
final class RawServer implements Closeable {
    /** What happens on one connection; when it returns, the connection is closed. */
    interface Script {
        void play(Wire wire, RawServer server) throws IOException;
    }

    final List<String> heads = new CopyOnWriteArrayList<>();
    final List<Wire> connections = new CopyOnWriteArrayList<>();
    final AtomicInteger closedByPeer = new AtomicInteger();
    private final ServerSocket server;
    private final Script script;

    RawServer(Script script) throws IOException {
        this.script = script;
        this.server = new ServerSocket(0, 600, Wire.loopback());
        Thread acceptor = new Thread(this::accept, "raw-server");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** Answers every request with the same octets and keeps the connection. */
    static RawServer answering(String answer) throws IOException {
        return new RawServer((wire, server) -> {
            while (true) {
                String head = wire.head();
                server.heads.add(head);
                wire.octets(Wire.length(head));
                wire.send(answer);
            }
        });
    }

    /** A proxy that opens every tunnel and sends back whatever comes through it. */
    static RawServer echoTunnel() throws IOException {
        return new RawServer((wire, server) -> {
            server.heads.add(wire.head());
            wire.send("HTTP/1.1 200 OK\r\n\r\n");
            byte[] some = new byte[8192];
            for (int count = wire.readSome(some); count >= 0; count = wire.readSome(some)) {
                wire.send(java.util.Arrays.copyOf(some, count));
            }
        });
    }

    /** A port on which nobody listens. */
    static int closedPort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, Wire.loopback())) {
            return free.getLocalPort();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> play(socket), "raw-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void play(Socket socket) {
        try (Wire wire = new Wire(socket)) {
            connections.add(wire);
            script.play(wire, this);
        } catch (SocketException e) {
            closedByPeer.incrementAndGet();
        } catch (IOException e) {
            // The peer has ended its connection in an orderly way, or the test is over.
            closedByPeer.incrementAndGet();
        }
    }

    int port() {
        return server.getLocalPort();
    }

    InetSocketAddress socketAddress() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    Address asUpstream(String id) {
        return asUpstream(id, null);
    }

    Address asUpstream(String id, @Nullable Credentials credentials) {
        return upstream(id, port(), credentials);
    }

    static Address upstream(String id, int port, @Nullable Credentials credentials) {
        return new Address(id, new Endpoint(Endpoint.Scheme.HTTP, "127.0.0.1", port, credentials), Map.of(), 1, false);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Wire wire : connections) {
            wire.close();
        }
    }
}
