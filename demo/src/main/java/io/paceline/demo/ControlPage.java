package io.paceline.demo;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executor;

/** A control URL: a page that answers 204 to everybody, until it is taken away. */
final class ControlPage implements Closeable {
    private final String host;
    private final LoopbackServer server;
    private volatile boolean gone;

    private ControlPage(String host, Executor threads) throws IOException {
        this.host = host;
        this.server = LoopbackServer.start(Sockets.address(host), threads, this::serve);
    }

    /** @throws IOException where the machine does not lend the address */
    static ControlPage start(String host, Executor threads) throws IOException {
        return new ControlPage(host, threads);
    }

    String url() {
        return "http://" + host + ":" + server.port() + "/ok";
    }

    /** From now on it drops every connection, or no more. */
    void gone(boolean now) {
        gone = now;
    }

    private void serve(Socket connection) throws IOException {
        if (gone) {
            Sockets.reset(connection);
            return;
        }
        Http.readHead(new BufferedInputStream(connection.getInputStream()));
        Http.answer(connection.getOutputStream(), 204, "No Content", "", "");
    }

    @Override
    public void close() {
        server.close();
    }
}
