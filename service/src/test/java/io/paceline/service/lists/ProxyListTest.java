package io.paceline.service.lists;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How whole files are read. */
class ProxyListTest {

    static Stream<Named<JsonNode>> files() {
        return ProxyCases.rows().filter(row -> row.getPayload().has("file"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void reads_the_shared_files(JsonNode row) {
        ProxyList list = ProxyList.read(ProxyCases.bytes(row.get("file").asText()));
        JsonNode expect = row.get("expect");
        assertThat(list.entries()).hasSize(expect.get("entries").asInt());
        assertThat(list.duplicates()).isEqualTo(expect.path("duplicates").asInt(list.duplicates()));
        if (expect.path("bad").isArray()) {
            assertThat(list.bad()).hasSize(expect.get("bad").size());
            assertThat(list.bad().get(0).line())
                    .isEqualTo(expect.get("bad").get(0).get("line").asInt());
        } else if (expect.has("bad")) {
            assertThat(list.badLines()).isEqualTo(expect.get("bad").asInt());
        }
    }

    @Test
    void reads_an_array_of_strings_with_its_line_numbers() {
        ProxyList list = ProxyList.read("\n[\n  \"198.51.100.7:8080\",\n  \"nonsense\",\n  \"198.51.100.8:8080\"\n]\n");
        assertThat(list.entries()).hasSize(2);
        assertThat(list.bad()).extracting(ProxyList.BadLine::line).containsExactly(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"host\":\"198.51.100.7\",\"port\":8080},{\"host\":\"198.51.100.8\",\"port\":8080}]",
                "{\"total\":2,\"data\":[{\"ip\":\"198.51.100.7\",\"port\":\"8080\",\"protocols\":[\"http\"]},\"198.51.100.8:1\"]}",
                "{\"host\":\"198.51.100.7\",\"port\":8080}\n{\"host\":\"198.51.100.8\",\"port\":8080}",
                "[\n\"198.51.100.7:8080\",\n\"198.51.100.8:8080\",\n]",
                "[[2001:db8::7]:1\n[2001:db8::7]:2\n[2001:db8::8]:2",
            })
    void finds_two_proxies_in_json_of_many_shapes(String text) {
        assertThat(ProxyList.read(text).entries()).hasSize(2);
    }

    @Test
    void an_empty_array_is_an_empty_list() {
        assertThat(ProxyList.read("[]")).isEqualTo(new ProxyList(List.of(), 0, 0, List.of()));
    }

    @Test
    void a_header_row_says_what_the_columns_are() {
        ProxyList list =
                ProxyList.read("Protocol,IP,Port,Country,Username,Password\nsocks5,198.51.100.7,1080,NO,u,p\n");
        assertThat(list.entries()).hasSize(1);
        assertThat(list.entries().get(0).endpoint()).hasToString("socks5://u:***@198.51.100.7:1080");
        assertThat(list.entries().get(0).tags()).containsEntry("country", "NO");
    }

    @Test
    void a_table_with_a_header_is_read_by_it_even_where_it_looks_like_credentials() {
        ProxyList list = ProxyList.read("ip,port,country,anonymity\n198.51.100.7,1080,NO,elite\n");
        assertThat(list.entries().get(0).endpoint()).hasToString("http://198.51.100.7:1080");
    }

    @Test
    void reads_what_a_windows_editor_calls_unicode() {
        assertThat(ProxyList.read("\ufeff198.51.100.7:8080\r\n198.51.100.8:8080".getBytes(UTF_16LE))
                        .entries())
                .hasSize(2);
    }

    @Test
    void a_line_that_is_no_utf8_fails_alone() {
        ProxyList list = ProxyList.read("198.51.100.7:1:u:p\u00e9\n198.51.100.7:1:u:p".getBytes(ISO_8859_1));
        assertThat(list.entries()).hasSize(1);
        assertThat(list.bad()).extracting(ProxyList.BadLine::fault).containsExactly(Fault.BAD_ENCODING);
    }

    @Test
    void lone_carriage_returns_end_lines_too() {
        assertThat(ProxyList.read("198.51.100.7:1\r198.51.100.7:2\r".getBytes(UTF_8))
                        .entries())
                .hasSize(2);
    }

    @Test
    void a_file_that_is_no_list_keeps_a_bounded_account() {
        ProxyList list = ProxyList.read("<p>\n".repeat(5_000));
        assertThat(list.badLines()).isEqualTo(5_000);
        assertThat(list.bad()).hasSize(1_000);
    }
}
