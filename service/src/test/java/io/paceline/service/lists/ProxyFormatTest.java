package io.paceline.service.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written is read back as the same proxy. */
class ProxyFormatTest {

    private static final List<String> HOSTS = List.of("198.51.100.7", "2001:db8::7", "proxy.example.com", "squid");
    private static final List<Scheme> SCHEMES = List.of(Scheme.HTTP, Scheme.HTTPS, Scheme.SOCKS4A, Scheme.SOCKS5H);
    private static final String SPECIAL = ":@/?#%[]{}\"',;| \\-.$&aZ09\u00e9=";

    @ParameterizedTest
    @EnumSource(ProxyFormat.class)
    void every_format_reads_back(ProxyFormat format) {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            Scheme scheme = SCHEMES.get(random.nextInt(SCHEMES.size()));
            Credentials credentials = random.nextInt(4) == 0 ? null : new Credentials(text(random), text(random));
            Endpoint endpoint = new Endpoint(
                    scheme, HOSTS.get(random.nextInt(HOSTS.size())), 1 + random.nextInt(65_535), credentials);
            ProxyEntry entry = new ProxyEntry(endpoint, null, Map.of("country", "NO"));
            String line = format.write(entry);
            assertThat(ProxyLine.parse(line).match(ProxyLine.Entries::entries, skip -> List.of(), bad -> List.of()))
                    .as(line)
                    .extracting(ProxyEntry::endpoint)
                    .containsExactly(endpoint);
        }
    }

    @Test
    void writes_plain_lines() {
        ProxyEntry entry = new ProxyEntry(
                new Endpoint(Scheme.SOCKS5, "2001:db8::7", 1080, new Credentials("u", "p@ss")),
                null,
                Map.of("kind", "own", "country", "NO"));
        assertThat(ProxyFormat.URL.write(entry))
                .isEqualTo("socks5://u:p%40ss@[2001:db8::7]:1080 # country=NO kind=own");
        assertThat(ProxyFormat.COLON.write(entry))
                .isEqualTo("socks5://[2001:db8::7]:1080:u:p@ss # country=NO kind=own");
        assertThat(ProxyFormat.JSON.write(entry))
                .isEqualTo(
                        "{\"scheme\":\"socks5\",\"host\":\"2001:db8::7\",\"port\":1080,\"username\":\"u\",\"password\":\"p@ss\","
                                + "\"country\":\"NO\",\"kind\":\"own\"}");
        assertThat(ProxyFormat.URL.write(ProxyEntry.of(Endpoint.DIRECT))).isEqualTo("direct");
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(SPECIAL.charAt(random.nextInt(SPECIAL.length())));
        }
        return text.append('y').toString();
    }
}
