package io.paceline.service.proxy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One end of a connection, octet by octet: what a well-behaved client library would hide. */
final class Wire implements Closeable {
    /** No test waits longer than this for an octet. */
    private static final int PATIENCE_MILLIS = 20_000;

    final Socket socket;
    private final InputStream in;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static Wire to(InetSocketAddress address) throws IOException {
        return new Wire(new Socket(address.getAddress(), address.getPort()));
    }

    /** A client that takes no more than a little at a time from its own system. */
    static Wire slowTo(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(address);
        return new Wire(socket);
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    /** Sends one character as one octet. */
    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Wire send(byte[] octets) throws IOException {
        socket.getOutputStream().write(octets);
        socket.getOutputStream().flush();
        return this;
    }

    void sendLines(String... lines) throws IOException {
        send(String.join("\r\n", lines) + "\r\n\r\n");
    }

    /** A head up to and with its empty line. */
    String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("ended within a head: [" + head.toString(StandardCharsets.ISO_8859_1) + "]");
            }
            head.write(octet);
            last = last << 8 | octet;
            if (last == 0x0d0a0d0a) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
    }

    String octets(int count) throws IOException {
        byte[] octets = in.readNBytes(count);
        if (octets.length < count) {
            throw new IOException("ended after " + octets.length + " of " + count + " octets");
        }
        return new String(octets, StandardCharsets.ISO_8859_1);
    }

    /** All until the other end closes. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** A head and the body that its Content-Length announces. */
    String message() throws IOException {
        String head = head();
        return head + octets(length(head));
    }

    static int length(String head) {
        String value = field(head, "content-length");
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }

    /** The values of a field in a head, joined by a bar; empty where there is none. */
    static String field(String head, String lowerName) {
        StringBuilder values = new StringBuilder();
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(lowerName)) {
                values.append(values.length() == 0 ? "" : "|")
                        .append(line.substring(colon + 1).strip());
            }
        }
        return values.toString();
    }

    int read() throws IOException {
        return in.read();
    }

    int readSome(byte[] into) throws IOException {
        return in.read(into);
    }

    /** Sends nothing more. */
    void shut() throws IOException {
        socket.shutdownOutput();
    }

    /** Leaves by a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
