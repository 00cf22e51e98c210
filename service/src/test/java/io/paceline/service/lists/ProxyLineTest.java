package io.paceline.service.lists;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How single lines of proxy lists are read: the shared cases, and more of each kind. */
class ProxyLineTest {

    static Stream<Named<JsonNode>> lines() {
        return ProxyCases.rows().filter(row -> row.getPayload().has("input"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void reads_the_shared_cases(JsonNode row) {
        ProxyLine read = ProxyLine.parse(row.get("input").asText());
        if (row.has("error")) {
            assertThat(read).isInstanceOf(ProxyLine.Bad.class);
            assertThat(((ProxyLine.Bad) read).fault().word())
                    .isEqualTo(row.get("error").asText());
        } else if (row.get("expect").isTextual()) {
            assertThat(read).isInstanceOf(ProxyLine.Skip.class);
        } else if (row.get("expect").has("expand")) {
            expectRange(entries(read), row.get("expect").get("expand"));
        } else {
            expectEntry(entries(read), row.get("expect"));
        }
    }

    private static void expectRange(List<ProxyEntry> entries, JsonNode range) {
        assertThat(entries).hasSize(range.get("count").asInt());
        assertThat(entries.get(0).endpoint().port())
                .isEqualTo(range.get("ports").get(0).asInt());
        assertThat(entries.get(entries.size() - 1).endpoint().port())
                .isEqualTo(range.get("ports").get(1).asInt());
        assertThat(entries).allSatisfy(entry -> {
            assertThat(entry.endpoint().host()).isEqualTo(range.get("host").asText());
            assertThat(entry.endpoint().credentials())
                    .isEqualTo(new Credentials(
                            range.get("user").asText(), range.get("pass").asText()));
        });
    }

    private static void expectEntry(List<ProxyEntry> entries, JsonNode expect) {
        assertThat(entries).hasSize(1);
        Endpoint endpoint = entries.get(0).endpoint();
        assertThat(endpoint.scheme().word()).isEqualTo(expect.path("scheme").asText("http"));
        assertThat(endpoint.host()).isEqualTo(expect.get("host").asText());
        assertThat(endpoint.port()).isEqualTo(expect.get("port").asInt());
        assertThat(endpoint.credentials())
                .isEqualTo(
                        expect.has("user")
                                ? new Credentials(
                                        expect.get("user").asText(),
                                        expect.get("pass").asText())
                                : null);
        if (expect.has("label")) {
            assertThat(entries.get(0).label()).isEqualTo(expect.get("label").asText());
        }
        if (expect.has("remote_dns")) {
            boolean remote =
                    endpoint.scheme() == Endpoint.Scheme.SOCKS5H || endpoint.scheme() == Endpoint.Scheme.SOCKS4A;
            assertThat(remote).isEqualTo(expect.get("remote_dns").asBoolean());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A slash, a question mark and a hash in a password, in every form.
                "http://up01:s3/cr3t@198.51.100.7:3128 ^ http 198.51.100.7 3128 up01 s3/cr3t",
                "http://up01:s3?cr3t@198.51.100.7:3128 ^ http 198.51.100.7 3128 up01 s3?cr3t",
                "up01:s3/cr3t@198.51.100.7:3128/ ^ http 198.51.100.7 3128 up01 s3/cr3t",
                "198.51.100.7:3128:up01:s3/c#3t ^ http 198.51.100.7 3128 up01 s3/c#3t",
                "http://198.51.100.7:3128:up01:p/w ^ http 198.51.100.7 3128 up01 p/w",
                "socks5://u:p//w@[2001:db8::7]:1080 ^ socks5 2001:db8::7 1080 u p//w",
                // At signs and colons in a password.
                "198.51.100.7:8080:user01:p@ss:8080 ^ http 198.51.100.7 8080 user01 p@ss:8080",
                "proxy.example.com:8080:bob:p@ss ^ http proxy.example.com 8080 bob p@ss",
                "[2001:db8::7]:3128:bob:p@ss:1 ^ http 2001:db8::7 3128 bob p@ss:1",
                "bob:8080:x@proxy.example.com:3128 ^ http proxy.example.com 3128 bob 8080:x",
                "http://us:p@1:2@h.example:80 ^ http h.example 80 us p@1:2",
                // Turned round.
                "198.51.100.7:8080@user01:12345 ^ http 198.51.100.7 8080 user01 12345",
                "socks5://198.51.100.7:1080@user01:p@ss ^ socks5 198.51.100.7 1080 user01 p@ss",
                "proxy.example.com:8080@user01:pw1 ^ http proxy.example.com 8080 user01 pw1",
                "user01:pw1:proxy.example.com:8080 ^ http proxy.example.com 8080 user01 pw1",
                "user01:pw1:198.51.100.7:8080 ^ http 198.51.100.7 8080 user01 pw1",
                // Percent: decoded in URL forms, literal in colon forms.
                "user01:p%40ss@proxy.example.com:3128 ^ http proxy.example.com 3128 user01 p@ss",
                "http://u%2Fx:p%zz%4@proxy.example.com:3128 ^ http proxy.example.com 3128 u/x p%zz%4",
                "http://u:%C3%BC%FF@proxy.example.com:3128 ^ http proxy.example.com 3128 u %C3%BC%FF",
                "http://198.51.100.7:8080:user01:p%40ss ^ http 198.51.100.7 8080 user01 p%40ss",
                // Schemes.
                "Socks4A://198.51.100.8:1080 ^ socks4a 198.51.100.8 1080",
                "socks5:198.51.100.8:1080 ^ socks5 198.51.100.8 1080",
                "socks5 198.51.100.8 1080 u p ^ socks5 198.51.100.8 1080 u p",
                // Hosts.
                "http://[::ffff:198.51.100.7]:3128 ^ http 198.51.100.7 3128",
                "squid:3128 ^ http squid 3128",
                "proxy.example.com.:3128 ^ http proxy.example.com 3128",
                "squid:3128:u:p ^ http squid 3128 u p",
                "gw_1.example.net:80:a.b:1234 ^ http gw_1.example.net 80 a.b 1234",
                // Columns.
                "198.51.100.7;8080;user01;pw1 ^ http 198.51.100.7 8080 user01 pw1",
                "\"198.51.100.7\",\"8080\",\"user01\",\"p,w\" ^ http 198.51.100.7 8080 user01 p,w",
                "socks5,198.51.100.7,1080,u,p ^ socks5 198.51.100.7 1080 u p",
                "198.51.100.7,1080,socks4 ^ socks4 198.51.100.7 1080",
                "198.51.100.7,1080,u,p,socks5 ^ socks5 198.51.100.7 1080 u p",
                "2001:db8::7,1080 ^ http 2001:db8::7 1080",
                "198.51.100.7,8080,, ^ http 198.51.100.7 8080",
                "198.51.100.7:8080, ^ http 198.51.100.7 8080",
                "198.51.100.7   8080 ^ http 198.51.100.7 8080",
                "198.51.100.7: 8080 ^ http 198.51.100.7 8080",
                "[2001:db8::7] 8080 ^ http 2001:db8::7 8080",
                "198.51.100.7:08080 ^ http 198.51.100.7 8080",
                // Empty credentials are none.
                "198.51.100.7:8080:: ^ http 198.51.100.7 8080",
                "http://@198.51.100.7:8080 ^ http 198.51.100.7 8080",
                // JSON.
                "{\"ip\":\"198.51.100.8\",\"port\":1080,\"protocols\":[\"ftp\",\"socks4\"]} ^ socks4 198.51.100.8 1080",
                "{\"server\":\"http://198.51.100.8:3128\",\"username\":\"u\",\"password\":\"p:/@\"}, ^ http 198.51.100.8 3128 u p:/@",
                "{\"proxy\":\"socks5h://u:p@198.51.100.8:1080\"} ^ socks5h 198.51.100.8 1080 u p",
                "{\"proxy_address\":\"198.51.100.8\",\"port\":\"1\",\"type\":\"socks5\"} ^ socks5 198.51.100.8 1",
                "{\"host\":\"2001:db8::7\",\"port\":3128} ^ http 2001:db8::7 3128",
                "\"http://u:p\\u0040x@198.51.100.8:80\", ^ http 198.51.100.8 80 u p@x",
                "'198.51.100.7:8080', ^ http 198.51.100.7 8080",
                "\u200b198.51.100.7:8080\u00a0 ^ http 198.51.100.7 8080",
            })
    void reads_more_of_each_kind(String row) {
        String[] lineAndReading = row.split(" \\^ ", -1);
        assertThat(shown(ProxyLine.parse(lineAndReading[0]))).isEqualTo(lineAndReading[1]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '^',
            value = {
                "2001:db8::7 ^ ambiguous_ipv6",
                "2001:db8:0:0:0:0:0:7:3128 ^ ambiguous_ipv6",
                "2001:470::1:8080 ^ ambiguous_ipv6",
                "2001:db8::7:3128:user01:pw1 ^ ambiguous_ipv6",
                "fe80:80::1:8080:user01:pw1 ^ ambiguous_ipv6",
                "http://user01:pw1@2001:db8::7:3128 ^ ambiguous_ipv6",
                "socks5://2001:db8::7:3128 ^ ambiguous_ipv6",
                "[2001:db8::7] ^ missing_port",
                "[2001:db8::7 ^ bad_host",
                "[2001:db8::7]3128 ^ bad_host",
                "[2001:db8::zz]:3128 ^ bad_host",
                "proxy.example.com ^ missing_port",
                "proxy.example.com: ^ missing_port",
                "https://user01:pw1@proxy.example.com ^ missing_port",
                "http://proxy.example.com/ ^ missing_port",
                "198.51.100.7:80a ^ bad_port",
                "198.51.100.7:-80 ^ bad_port",
                "198.51.100.7:99999:user01:pw1 ^ bad_port",
                "198.51.100.7:20-10 ^ bad_port",
                "198.51.100.7:99999999999999999999 ^ bad_port",
                "http://user01:pw1@198.51.100.7:0 ^ bad_port",
                "198.51.100:8080 ^ bad_host",
                "2130706433:8080 ^ bad_host",
                "198.51.100.7.1:8080 ^ bad_host",
                "010.0.0.1:8080 ^ bad_host",
                "a..example.com:8080 ^ bad_host",
                "ex ample.com:8080 ^ unexpected_fields",
                "http://:8080 ^ bad_host",
                ":8080 ^ bad_host",
                "user01:pw1@:8080 ^ bad_host",
                "http://proxy.example.com:3128/path ^ unexpected_path",
                "198.51.100.7:8080:user01 ^ missing_password",
                "user01:12345:proxy.example.com:8080 ^ ambiguous_fields",
                "socks://198.51.100.7:80 ^ unsupported_scheme",
                "ftp://198.51.100.7:80 ^ unsupported_scheme",
                "{\"host\":\"198.51.100.7\" ^ bad_json",
                "{\"protocol\":\"vmess\",\"host\":\"198.51.100.7\",\"port\":80} ^ unsupported_scheme",
                "{\"host\":\"198.51.100.7\"} ^ missing_port",
                "{\"port\":80} ^ bad_host",
                "198.51.100.7 8080 US elite ^ unexpected_fields",
            })
    void says_what_is_wrong(String line, String fault) {
        ProxyLine read = ProxyLine.parse(line);
        assertThat(read).isInstanceOf(ProxyLine.Bad.class);
        assertThat(((ProxyLine.Bad) read).fault().word()).isEqualTo(fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "   ", "\t\r", "#x", "; old", "// old", "[", "]", "],", "ip,port,username,password", "\ufeff"
            })
    void skips_what_is_no_entry(String line) {
        assertThat(ProxyLine.parse(line)).isInstanceOf(ProxyLine.Skip.class);
    }

    @Test
    void names_the_scheme_that_was_typed() {
        assertThat(((ProxyLine.Bad) ProxyLine.parse("sock5://198.51.100.8:1080")).message())
                .contains("sock5")
                .contains("socks5");
    }

    @Test
    void takes_the_word_direct_for_our_own_address() {
        assertThat(entries(ProxyLine.parse(" Direct "))).containsExactly(ProxyEntry.of(Endpoint.DIRECT));
    }

    @Test
    void takes_tags_from_a_remark_that_is_made_of_them_alone() {
        ProxyEntry entry = entries(ProxyLine.parse("198.51.100.7:8080 # country=NO provider=acme"))
                .get(0);
        assertThat(entry.tags()).containsOnly(Map.entry("country", "NO"), Map.entry("provider", "acme"));
        assertThat(entries(ProxyLine.parse("198.51.100.7:8080 # my a=b")).get(0).tags())
                .isEmpty();
    }

    @Test
    void keeps_a_country_suffix_as_label_and_tag() {
        ProxyEntry entry = entries(ProxyLine.parse("198.51.100.7:8080 | NO")).get(0);
        assertThat(entry.label()).isEqualTo("NO");
        assertThat(entry.tags()).containsEntry("country", "NO");
    }

    @Test
    void refuses_a_line_end_that_is_hidden_in_credentials() {
        assertThat(ProxyLine.parse("http://u:p%0d%0aX@198.51.100.7:80"))
                .isInstanceOfSatisfying(
                        ProxyLine.Bad.class, bad -> assertThat(bad.fault()).isEqualTo(Fault.CONTROL_CHARACTER));
    }

    private static List<ProxyEntry> entries(ProxyLine line) {
        assertThat(line).isInstanceOf(ProxyLine.Entries.class);
        return ((ProxyLine.Entries) line).entries();
    }

    private static String shown(ProxyLine line) {
        return line.match(
                entries -> {
                    Endpoint endpoint = entries.entries().get(0).endpoint();
                    Credentials credentials = endpoint.credentials();
                    return endpoint.scheme().word() + " " + endpoint.host() + " " + endpoint.port()
                            + (credentials == null ? "" : " " + credentials.user() + " " + credentials.password());
                },
                skip -> "skip",
                bad -> bad.fault().word() + ": " + bad.message());
    }
}
