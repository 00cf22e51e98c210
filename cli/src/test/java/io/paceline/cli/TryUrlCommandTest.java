package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TryUrlCommandTest {

    @TempDir
    private Path folder;

    private Path rules;

    @BeforeEach
    void write() throws IOException {
        rules = Files.writeString(folder.resolve("rules.yaml"), """
                rules:
                  - { name: safety, pattern: "*", limit: 30, window: 1m }
                  - { name: example-com, pattern: ".example.com", limit: 50, window: 1m, priority: 100 }
                  - { name: at-once, pattern: "*", concurrency: 4 }
                """);
    }

    @Test
    void it_shows_the_canonical_host_the_target_and_the_rule_that_binds() throws IOException {
        JsonNode seen = json("http://user:pw@WWW.Example.com.:80/a?b=1");

        assertThat(seen.path("status").asText()).isEqualTo("forwarded");
        assertThat(seen.path("rule_host").asText()).isEqualTo("www.example.com");
        assertThat(seen.path("bucket").asText()).isEqualTo("example.com");
        assertThat(seen.path("pool").asText()).isEqualTo("default");
        assertThat(seen.path("rule").asText()).isEqualTo("example-com");
        assertThat(seen.path("concurrency_rule").asText()).isEqualTo("at-once");
        assertThat(seen.path("rules").toString()).contains("lost to 'example-com': priority 100 over 0");
        assertThat(seen.toString()).doesNotContain("pw@");
    }

    @Test
    void it_names_the_pools_that_stand_in_and_the_addresses_that_come_first(@TempDir Path folder) throws IOException {
        Path config = Files.writeString(folder.resolve("pools.yaml"), """
                pools:
                  - { name: default, addresses: [direct] }
                  - { name: shops, addresses: [direct], fallback: spare }
                  - { name: spare, addresses: [direct], fallback: default }
                targets:
                  - { match: .example.com, pool: shops, prefer: { kind: mobile, country: DE } }
                """);
        Run run = Run.of("try", "url", "https://www.example.com/", "--config", config.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("pool: shops")
                .contains("fallback: spare, default")
                .contains("prefer: country de, kind mobile");
        Run json = Run.of("try", "url", "https://other.example/", "--json", "--config", config.toString());
        JsonNode seen = new ObjectMapper().readTree(json.out());
        assertThat(seen.path("fallback").toString()).isEqualTo("[]");
        assertThat(seen.path("prefer").toString()).isEqualTo("{}");
    }

    @Test
    void it_shows_what_one_tenant_would_have(@TempDir Path folder) throws IOException {
        Path config = Files.writeString(folder.resolve("tenants.yaml"), """
                api: { tokens: [ { name: c, token: t, tenant: shop } ] }
                pools:
                  - { name: default, addresses: [direct] }
                  - { name: shops, addresses: [direct], fallback: default }
                targets: [ { match: .example.com, pool: default, headers: { Accept: text/html } } ]
                rules: [ { name: all, pattern: "*", limit: 30, window: 1m } ]
                tenants:
                  - { name: shop, pools: [shops], rules: [ { name: own, pattern: "*", limit: 5, window: 1m } ] }
                """);
        String url = "https://www.example.com/";
        Run run = Run.of("try", "url", url, "--tenant", "shop", "--config", config.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("pool: shops", "fallback: none", "rule: shop/own", "headers: Accept text/html")
                .contains("lost to 'shop/own': it stands earlier in the file");
        assertThat(Run.of("try", "url", url, "--config", config.toString()).out())
                .contains("pool: default", "rule: all");
        assertThat(Run.of("try", "url", url, "--tenant", "x", "--config", config.toString())
                        .err())
                .contains("no tenant is called \"x\": there is shop");
    }

    @Test
    void the_text_has_the_same_fields() {
        Run run = Run.of("try", "url", "https://www.example.org/", "--rules", rules.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("rule_host: www.example.org")
                .contains("rule: safety")
                .contains("binds safety (*, rate, per target)")
                .contains("silent example-com (.example.com, rate, per target)")
                .contains("its pattern covers hosts below example.com alone");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1/, 403, 0",
        "http://localhost:8080/, 403, 0",
        "example.com/a, 400, 0",
        "http:///a, 400, 1",
        "http://example.com../, 400, 1",
        "ftp://example.com/, 400, 1",
        "http://2130706433/, 403, 1"
    })
    void what_the_forward_proxy_would_refuse_has_its_code(String url, int status, int exit) throws IOException {
        Run run = Run.of("try", "url", "--json", url);

        assertThat(run.code()).isEqualTo(exit);
        JsonNode seen = new ObjectMapper().readTree(run.out());
        assertThat(seen.path("status").asInt()).isEqualTo(status);
        assertThat(seen.path("message").asText()).isNotEmpty();
    }

    private JsonNode json(String url) throws IOException {
        Run run = Run.of("try", "url", url, "--json", "--rules", rules.toString());
        assertThat(run.code()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }
}
