package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code proxies test} against sockets on loopback, one that accepts and one that refuses. */
class ProxiesTestCommandIT {

    @TempDir
    Path folder;

    @Test
    void tells_who_accepts_a_connection_and_who_does_not() throws IOException {
        try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int closed = closedPort();
            Path list = Files.writeString(
                    folder.resolve("list.txt"),
                    "127.0.0.1:" + open.getLocalPort() + ":user-1:s3cr3t\n127.0.0.1:" + open.getLocalPort()
                            + ":user-2:s3cr3t\n127.0.0.1:" + closed + "\ndirect\nnonsense\n");

            Run text = Run.of("proxies", "test", list.toString());
            assertThat(text.code()).isZero();
            assertThat(text.out())
                    .contains("ok    http://user-1:***@127.0.0.1:")
                    .contains("ok    http://user-2:***@127.0.0.1:")
                    .contains("fail  http://127.0.0.1:" + closed + "  connection refused")
                    .contains("3 of 4 addresses reachable")
                    .doesNotContain("s3cr3t");

            JsonNode json = new ObjectMapper()
                    .readTree(
                            Run.of("proxies", "test", "--json", list.toString()).out());
            assertThat(json.get("reachable").asInt()).isEqualTo(3);
            assertThat(json.get("bad").get(0).get("line").asInt()).isEqualTo(5);
            assertThat(json.get("results")).hasSize(4);
        }
    }

    @Test
    void a_list_of_which_none_answers_exits_with_1() throws IOException {
        Path list = Files.writeString(folder.resolve("list.txt"), "127.0.0.1:" + closedPort() + "\n");
        assertThat(Run.of("proxies", "test", list.toString()).code()).isEqualTo(1);
    }

    /** A port that was free a moment ago. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
