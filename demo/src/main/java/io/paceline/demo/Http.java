package io.paceline.demo;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much of HTTP/1.1 as proxies, sites and crawler of the demo need among themselves: one request a connection, its end
 * the connection's end.
 */
final class Http {
    private static final int MAX_HEAD = 16 * 1024;

    private Http() {}

    /**
     * The head of a request or an answer.
     *
     * @param start the first line
     * @param fields names in lower case; of a repeated one the last
     */
    record Head(String start, Map<String, String> fields) {

        /** The word of the first line at a place, counted from 0; empty where it has fewer. */
        String word(int place) {
            String[] words = start.split(" ", 3);
            return place < words.length ? words[place] : "";
        }

        @Nullable
        String field(String name) {
            return fields.get(name);
        }

        /** The status of an answer. */
        int status() throws IOException {
            try {
                return Integer.parseInt(word(1));
            } catch (NumberFormatException e) {
                throw new IOException("no HTTP answer: " + start, e);
            }
        }
    }

    /**
     * Reads a head and leaves the stream at the body; octet by octet, so give it a buffered stream.
     *
     * @throws EOFException where the other side closed before the first octet
     */
    static Head readHead(InputStream in) throws IOException {
        String start = readLine(in, MAX_HEAD);
        int room = MAX_HEAD - start.length();
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line = readLine(in, room); !line.isEmpty(); line = readLine(in, room)) {
            room -= line.length() + 2;
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).trim());
            }
        }
        return new Head(start, fields);
    }

    private static String readLine(InputStream in, int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(80);
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("closed in the middle of a head");
            }
            if (line.size() >= most) {
                throw new IOException("a head longer than " + MAX_HEAD + " octets");
            }
            if (octet != '\r') {
                line.write(octet);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** The body that follows a head: of the length that it names, else to the end of the connection. */
    static byte[] readBody(Head head, InputStream in) throws IOException {
        String length = head.field("content-length");
        if (length == null) {
            return in.readAllBytes();
        }
        int wanted = Integer.parseInt(length);
        byte[] body = in.readNBytes(wanted);
        if (body.length < wanted) {
            throw new EOFException("closed in the middle of a body");
        }
        return body;
    }

    /** Sends a whole answer; {@code more} is further fields, each with its line end. */
    static void answer(OutputStream out, int status, String reason, String more, String body) throws IOException {
        byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        send(
                out,
                "HTTP/1.1 " + status + " " + reason + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
                        + octets.length + "\r\nConnection: close\r\n" + more + "\r\n",
                octets);
    }

    /** In one write: two small ones would wait for each other's acknowledgement. */
    static void send(OutputStream out, String head, byte[] body) throws IOException {
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream whole = new ByteArrayOutputStream(first.length + body.length);
        whole.writeBytes(first);
        whole.writeBytes(body);
        out.write(whole.toByteArray());
        out.flush();
    }
}
