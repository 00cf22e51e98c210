package io.paceline.demo;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A listening socket on a free port, a thread for each connection. Closing it closes its connections too. */
final class LoopbackServer implements Closeable {
    private static final int BACKLOG = 256;

    private final ServerSocket listening;
    private final Executor threads;
    private final Handler handler;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** What is done with a connection; it is closed afterwards, and an {@link IOException} is its ordinary end. */
    interface Handler {
        void handle(Socket connection) throws IOException, InterruptedException;
    }

    private LoopbackServer(ServerSocket listening, Executor threads, Handler handler) {
        this.listening = listening;
        this.threads = threads;
        this.handler = handler;
    }

    /** @throws IOException where the machine does not lend the address */
    static LoopbackServer start(InetAddress address, Executor threads, Handler handler) throws IOException {
        ServerSocket listening = new ServerSocket();
        try {
            listening.bind(new InetSocketAddress(address, 0), BACKLOG);
        } catch (IOException e) {
            listening.close();
            throw new IOException(
                    "cannot listen on " + address.getHostAddress() + " (" + e.getMessage()
                            + "): the demo needs the loopback addresses 127.0.0.0/8",
                    e);
        }
        LoopbackServer server = new LoopbackServer(listening, threads, handler);
        threads.execute(server::accept);
        return server;
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket connection = listening.accept();
                open.add(connection);
                dispatch(connection);
            } catch (IOException e) {
                // Closed, or a client that left before it was accepted.
            }
        }
    }

    private void dispatch(Socket connection) {
        try {
            threads.execute(() -> serve(connection));
        } catch (RejectedExecutionException e) {
            drop(connection);
        }
    }

    private void serve(Socket connection) {
        try {
            connection.setTcpNoDelay(true);
            handler.handle(connection);
        } catch (IOException e) {
            // The other side has gone: nobody is left to be told.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            drop(connection);
        }
    }

    private void drop(Socket connection) {
        open.remove(connection);
        Sockets.close(connection);
    }

    @Override
    public void close() {
        Sockets.close(listening);
        open.forEach(Sockets::close);
    }
}
