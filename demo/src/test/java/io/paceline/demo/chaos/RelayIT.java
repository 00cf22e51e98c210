package io.paceline.demo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The wire that can be made slow, or cut, before a server that says everything again. */
class RelayIT {

    @Test
    void everything_arrives_in_order_however_slow_it_is_and_nothing_while_it_is_cut() throws IOException {
        try (ServerSocket echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Relay relay = new Relay(echo.getLocalPort())) {
            serve(echo);
            try (Socket client = connect(relay)) {
                assertThat(said(client, "one ")).isEqualTo("one ");
                relay.delay(20);
                assertThat(said(client, "two ")).isEqualTo("two ");
                relay.delay(0);
                assertThat(said(client, "three")).isEqualTo("three");

                relay.cut(true);
                assertThat(ended(client)).isTrue();
            }
            try (Socket client = connect(relay)) {
                assertThat(ended(client)).isTrue();
            }
            relay.cut(false);
            try (Socket client = connect(relay)) {
                assertThat(said(client, "again")).isEqualTo("again");
            }
        }
    }

    private static void serve(ServerSocket echo) {
        Thread thread = new Thread(() -> {
            while (true) {
                try (Socket socket = echo.accept()) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException e) {
                    if (echo.isClosed()) {
                        return;
                    }
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static Socket connect(Relay relay) throws IOException {
        Socket socket = new Socket();
        socket.connect(Resp.loopback(relay.port()));
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static String said(Socket socket, String words) throws IOException {
        byte[] octets = words.getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(octets);
        return new String(socket.getInputStream().readNBytes(octets.length), StandardCharsets.US_ASCII);
    }

    /** By an end, or by a reset. */
    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
