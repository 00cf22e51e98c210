package io.paceline.service.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends octets over a socket and reads the answer: a client that forbids nothing. */
final class Wire {

    /** An answer; header names are in lower case. */
    record Answer(int status, Map<String, String> headers, String body) {}

    private Wire() {}

    /** One request with a JSON body on a connection of its own. */
    static Answer post(int port, String path, String json, String... headers) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return send(port, head("POST", path, "content-type: application/json\r\n", body.length, headers), body);
    }

    static Answer call(int port, String method, String path, String... headers) {
        return send(port, head(method, path, "", 0, headers), new byte[0]);
    }

    private static String head(String method, String path, String type, int length, String... headers) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        boolean hasHost = false;
        for (String header : headers) {
            head.append(header).append("\r\n");
            hasHost |= header.toLowerCase(Locale.ROOT).startsWith("host:");
        }
        if (!hasHost) {
            head.append("host: 127.0.0.1\r\n");
        }
        if (length > 0) {
            head.append(type).append("content-length: ").append(length).append("\r\n");
        }
        return head + "connection: close\r\n\r\n";
    }

    static Answer send(int port, String head, byte[] body) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return parse(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer parse(InputStream in) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        in.transferTo(octets);
        String text = octets.toString(StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, end).split("\r\n");
        Map<String, String> headers = new TreeMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).trim());
        }
        return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, text.substring(end + 4));
    }
}
