package io.paceline.demo;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;

/** Small things about sockets. */
final class Sockets {
    private Sockets() {}

    /** Closes; an end that goes wrong is an end. */
    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed all the same.
        }
    }

    /** Ends a connection as a machine does that has just died: without a word, by a reset. */
    static void reset(Socket connection) throws IOException {
        connection.setSoLinger(true, 0);
        connection.close();
    }

    /** An address from its text; asks no name server. */
    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal + " is no address", e);
        }
    }
}
