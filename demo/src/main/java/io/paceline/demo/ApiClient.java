package io.paceline.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import org.jspecify.annotations.Nullable;

/** Calls of a JSON API over connections that are kept; as little as a client of the permit API needs. Thread-safe. */
public final class ApiClient implements AutoCloseable {
    /** Longer than a call is held by the server. */
    private static final int SILENCE_MILLIS = 15_000;

    private final URI api;
    private final int silenceMillis;
    private final ObjectMapper json = new ObjectMapper();
    /** Idle connections, the last used first; as many as there were ever calls at once. */
    private final BlockingDeque<Connection> idle = new LinkedBlockingDeque<>();

    /** @param api {@code http://host:port} */
    ApiClient(String api) {
        this(api, SILENCE_MILLIS);
    }

    /**
     * @param api {@code http://host:port}
     * @param silenceMillis how long an answer is waited for
     */
    public ApiClient(String api, int silenceMillis) {
        this.api = URI.create(api);
        this.silenceMillis = silenceMillis;
    }

    /** The answer's body, whatever its status; an {@link IOException} where none comes. */
    public JsonNode post(String path, JsonNode body) throws IOException {
        byte[] octets = json.writeValueAsBytes(body);
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + api.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + octets.length + "\r\n\r\n";
        return json.readTree(call(head, octets));
    }

    /** The answer's body, whatever its status; an {@link IOException} where none comes. */
    public String get(String path) throws IOException {
        String head = "GET " + path + " HTTP/1.1\r\nHost: " + api.getAuthority() + "\r\n\r\n";
        return new String(call(head, new byte[0]), StandardCharsets.UTF_8);
    }

    private byte[] call(String head, byte[] body) throws IOException {
        Connection connection = idle.pollFirst();
        if (connection == null) {
            connection = new Connection(api, silenceMillis);
        }
        byte[] answer = null;
        try {
            answer = connection.call(head, body);
            return answer;
        } finally {
            giveBack(connection, answer);
        }
    }

    private void giveBack(Connection connection, byte @Nullable [] answer) {
        if (answer == null) {
            Sockets.close(connection.socket);
        } else {
            idle.addFirst(connection);
        }
    }

    @Override
    public void close() {
        idle.forEach(connection -> Sockets.close(connection.socket));
        idle.clear();
    }

    private static final class Connection {
        private final Socket socket;
        private final InputStream in;

        Connection(URI to, int silenceMillis) throws IOException {
            socket = new Socket(to.getHost(), to.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(silenceMillis);
            in = new BufferedInputStream(socket.getInputStream());
        }

        byte[] call(String head, byte[] body) throws IOException {
            Http.send(socket.getOutputStream(), head, body);
            Http.Head answer = Http.readHead(in);
            return Http.readBody(answer, in);
        }
    }
}
