package io.paceline.demo.chaos;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One connection to a Redis for what is done to it beside the store: a command, its answer. Not thread-safe. */
final class Resp implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    Resp(int port) throws IOException {
        try {
            socket.connect(loopback(port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    static InetSocketAddress loopback(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    /** One command to a server that is asked nothing else. */
    static Object ask(int port, String... words) throws IOException {
        try (Resp resp = new Resp(port)) {
            return resp.call(words);
        }
    }

    /**
     * The answer: a text, a number, a list of such, or an empty text for none.
     *
     * @throws IOException also for an error that Redis answers
     */
    Object call(String... words) throws IOException {
        List<byte[]> octets = new ArrayList<>();
        for (String word : words) {
            octets.add(word.getBytes(StandardCharsets.ISO_8859_1));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + octets.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : octets) {
            out.writeBytes(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(word);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(out.toByteArray());
        return answer();
    }

    private Object answer() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new IOException("Redis: " + rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> text(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("no answer of Redis: " + line);
        };
    }

    private List<Object> list(int length) throws IOException {
        List<Object> items = new ArrayList<>();
        for (int left = length; left > 0; left--) {
            items.add(answer());
        }
        return items;
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] octets = in.readNBytes(length);
        in.skipNBytes(2);
        return new String(octets, StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("Redis has closed the connection");
            }
            if (octet != '\r') {
                line.append((char) octet);
            }
        }
        if (line.isEmpty()) {
            throw new IOException("an empty answer of Redis");
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
