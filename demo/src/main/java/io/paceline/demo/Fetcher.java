package io.paceline.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * One GET through an HTTP proxy, by hand: what a crawler's HTTP library does inside.
 *
 * @param timeout the longest silence
 */
record Fetcher(Duration timeout) {
    private static final String AGENT = "paceline-demo/1";

    /** A whole answer. */
    record Got(Http.Head head, String body) {}

    /**
     * @param proxy {@code http://[user:password@]host:port}
     * @param session the cookie's value; empty for none
     * @throws java.net.SocketTimeoutException where nothing came in time
     * @throws IOException where there was no connection, or no whole answer
     */
    Got get(String proxy, String url, String session) throws IOException {
        URI via = parse(proxy);
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) timeout.toMillis());
            socket.connect(new InetSocketAddress(via.getHost(), via.getPort()), (int) timeout.toMillis());
            Http.send(socket.getOutputStream(), request(via, url, session), new byte[0]);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Http.Head head = Http.readHead(in);
            return new Got(head, new String(Http.readBody(head, in), StandardCharsets.UTF_8));
        }
    }

    private static URI parse(String proxy) throws IOException {
        try {
            return new URI(proxy);
        } catch (URISyntaxException e) {
            throw new IOException("a proxy URL that cannot be read", e); // not its text, which may hold a password
        }
    }

    private static String request(URI via, String url, String session) {
        String user = via.getUserInfo();
        return "GET " + url + " HTTP/1.1\r\nHost: " + URI.create(url).getAuthority() + "\r\nUser-Agent: " + AGENT
                + "\r\nConnection: close\r\n"
                + (user == null ? "" : "Proxy-Authorization: Basic " + base64(user) + "\r\n")
                + (session.isEmpty() ? "" : "Cookie: session=" + session + "\r\n")
                + "\r\n";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
