package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants of one service, who share a pool and see nothing of one another. */
class TenantsIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String CONFIG = """
            api:
              tokens:
                - { name: shop-crawler, token: shop-client, tenant: shop }
                - { name: shop-eye, token: shop-viewer, tenant: shop, role: viewer }
                - { name: mine-crawler, token: mine-client, tenant: mine }
                - { name: mine-eye, token: mine-viewer, tenant: mine, role: viewer }
                - { name: boss, token: boss, role: operator }
            pools:
              - { name: shared, addresses: [ { inline: "http://198.51.100.1:8080" } ] }
              - { name: shops, addresses: [ { inline: "http://198.51.100.2:8080", tags: { kind: residential } } ] }
              - { name: mines, addresses: [ { inline: "http://198.51.100.3:8080" } ] }
            rules: [ { name: open, pattern: "*", limit: 1000, window: 1s } ]
            tenants:
              - name: shop
                pools: [ shared, shops ]
                rules: [ { name: slow, pattern: slow.test, limit: 1, window: 1h } ]
                quota: { permits: 8/day, leases: 3, bytes: 1KiB/day }
                prices: { per_permit: 0.01, kinds: { residential: { per_gib: 8 } } }
              - { name: mine, pools: [ shared, mines ] }
            """;

    @TempDir
    private Path temp;

    private Service service;

    @BeforeEach
    void start() throws Exception {
        service = Service.start(load(), Keys.ephemeral());
        service.keepUsage(temp.resolve("usage.jsonl"));
    }

    @AfterEach
    void stop() {
        service.stop(Duration.ZERO);
    }

    private ServiceConfig load() throws Exception {
        Path file = Files.writeString(temp.resolve("paceline.yaml"), CONFIG);
        ConfigInputs inputs = ConfigInputs.none(Map.of(), temp, AddressIds.keyed(new byte[32]))
                .withConfig(file)
                .withOverrides(Optional.of("127.0.0.1:0"), Optional.of("127.0.0.1:0"), Optional.empty(), false);
        return ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw new AssertionError(errors.toString());
        });
    }

    private HttpResponse<String> send(String token, HttpRequest.Builder request) throws Exception {
        return CLIENT.send(
                request.header("authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode post(String token, String path, String json, int status) throws Exception {
        HttpResponse<String> answer = send(
                token,
                HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return MAPPER.readTree(answer.body());
    }

    private String get(String token, String path, int status) throws Exception {
        HttpResponse<String> answer = send(token, HttpRequest.newBuilder(URI.create(service.apiUrl() + path)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    private JsonNode acquire(String token, String host, int status) throws Exception {
        return post(token, "/acquire", "{\"target\": \"https://" + host + "/\"}", status);
    }

    private JsonNode release(String token, String lease, long bytes) throws Exception {
        return post(
                token,
                "/release",
                "{\"lease\": \"" + lease + "\", \"outcome\": \"success\", \"bytes\": " + bytes + "}",
                200);
    }

    private static String lease(JsonNode permit) {
        return permit.path("lease").asText();
    }

    @Test
    void a_lease_is_worth_nothing_to_another_tenant_and_an_operator_may_end_any() throws Exception {
        String lease = lease(acquire("shop-client", "one.test", 200));

        assertThat(release("mine-client", lease, 1).path("reason").asText()).isEqualTo("unknown");
        assertThat(post("mine-client", "/renew", "{\"lease\": \"" + lease + "\"}", 200)
                        .path("reason")
                        .asText())
                .isEqualTo("unknown");
        get("mine-viewer", "/api/explain/lease/" + lease, 404);
        assertThat(get("shop-viewer", "/api/explain/lease/" + lease, 200)).contains("one.test");
        assertThat(release("boss", lease, 1).path("released").asBoolean()).isTrue();
    }

    @Test
    void a_pool_of_another_is_no_pool() throws Exception {
        JsonNode error =
                post("shop-client", "/acquire", "{\"target\": \"https://one.test/\", \"pool\": \"mines\"}", 400);

        assertThat(error.at("/error/field").asText()).isEqualTo("pool");
        assertThat(error.at("/error/message").asText())
                .isEqualTo("`pool`: pool \"mines\" is none of tenant shop; it has shared, shops");
        assertThat(get("shop-viewer", "/api/pools", 200))
                .contains("shared", "shops")
                .doesNotContain("mines");
        assertThat(get("shop-viewer", "/api/status", 200)).doesNotContain("mines");
        assertThat(get("shop-viewer", "/api/addresses", 200))
                .contains("198.51.100.2")
                .doesNotContain("198.51.100.3");
        assertThat(get("boss", "/api/pools", 200)).contains("shared", "shops", "mines");
        get("shop-viewer", "/api/sessions?pool=mines", 400);
        get("shop-viewer", "/metrics", 403);
        get("boss", "/metrics", 200);
        post("shop-client", "/proxy/report", "{\"proxy\": \"198.51.100.3:8080\", \"status\": \"bad\"}", 404);
        post("shop-client", "/proxy/report", "{\"proxy\": \"198.51.100.2:8080\", \"status\": \"bad\"}", 200);
    }

    @Test
    void sessions_and_events_and_targets_of_others_are_not_shown() throws Exception {
        post("shop-client", "/acquire", "{\"target\": \"https://one.test/\", \"session\": \"k\"}", 200);
        String lost = "{\"target\": \"https://two.test/\", \"pool\": \"shared\", \"tags\": {\"country\": \"xx\"}}";
        post("mine-client", "/acquire", lost, 503);
        String address = MAPPER.readTree(get("shop-viewer", "/api/addresses?pool=shared", 200))
                .at("/addresses/0/id")
                .asText();

        assertThat(MAPPER.readTree(get("shop-viewer", "/api/sessions", 200)).path("sessions"))
                .hasSize(1);
        assertThat(MAPPER.readTree(get("mine-viewer", "/api/sessions", 200)).path("sessions"))
                .isEmpty();
        assertThat(get("mine-viewer", "/api/events", 200)).contains("two.test").doesNotContain("started");
        assertThat(get("shop-viewer", "/api/events", 200)).doesNotContain("two.test");
        assertThat(get("boss", "/api/events", 200)).contains("two.test", "started");
        assertThat(get("shop-viewer", "/api/explain/address/" + address, 200)).contains("one.test");
        assertThat(get("mine-viewer", "/api/explain/address/" + address, 200)).doesNotContain("one.test");
        assertThat(get("mine-viewer", "/api/rules", 200)).contains("open").doesNotContain("slow");
        assertThat(get("shop-viewer", "/api/rules", 200)).contains("\"shop/slow\"");
    }

    @Test
    void own_rules_and_quotas_refuse_by_name() throws Exception {
        acquire("shop-client", "slow.test", 200);
        assertThat(acquire("shop-client", "slow.test", 429).path("rule").asText())
                .isEqualTo("shop/slow");
        acquire("mine-client", "slow.test", 200);
        acquire("mine-client", "slow.test", 200);

        String second = lease(acquire("shop-client", "one.test", 200));
        acquire("shop-client", "one.test", 200);
        JsonNode leases = acquire("shop-client", "one.test", 429);
        assertThat(leases.path("reason").asText()).isEqualTo("quota_exceeded");
        assertThat(leases.path("rule").asText()).isEqualTo("quota.leases");
        release("shop-client", second, 1_024);

        JsonNode bytes = acquire("shop-client", "one.test", 429);
        assertThat(bytes.path("rule").asText()).isEqualTo("quota.bytes");
        assertThat(bytes.path("wait_seconds").asDouble()).isBetween(0.0, 86_400.0);
        assertThat(bytes.path("message").asText()).isEqualTo("tenant shop has used up its quota of 1024 bytes a day");
        acquire("mine-client", "one.test", 200);
    }

    @Test
    void a_cost_above_the_quota_is_refused_for_good() throws Exception {
        JsonNode refused = post("shop-client", "/acquire", "{\"target\": \"https://one.test/\", \"cost\": 9}", 400);

        assertThat(refused.path("reason").asText()).isEqualTo("cost_above_limit");
        assertThat(refused.path("rule").asText()).isEqualTo("quota.permits");
    }

    @Test
    void usage_is_exported_to_its_tenant_and_to_operators_and_outlives_a_restart() throws Exception {
        release("shop-client", lease(acquire("shop-client", "one.test", 200)), 100);
        acquire("shop-client", "two.test", 200);

        JsonNode usage = MAPPER.readTree(get("shop-viewer", "/api/tenants/shop/usage", 200));
        assertThat(usage.at("/total/permits").asInt()).isEqualTo(2);
        assertThat(usage.at("/total/bytes").asInt()).isEqualTo(100);
        assertThat(usage.at("/total/money").decimalValue()).isEqualByComparingTo("0.02");
        assertThat(usage.at("/total/outcomes/success").asInt()).isEqualTo(1);
        assertThat(usage.path("rows")).hasSize(2);
        assertThat(get("boss", "/api/tenants/shop/usage?format=csv", 200))
                .startsWith("day,tenant,pool,target,permits,")
                .contains(",shop,shared,one.test,1,0,1,");
        get("mine-viewer", "/api/tenants/shop/usage", 404);
        get("boss", "/api/tenants/shop/usage?format=xml", 400);
        get("boss", "/api/tenants/shop/usage?from=yesterday", 400);
        JsonNode tenants = MAPPER.readTree(get("boss", "/api/tenants", 200)).path("tenants");
        assertThat(tenants).hasSize(2);
        assertThat(tenants.at("/0/quota/bytes/used").asInt()).isEqualTo(100);
        assertThat(tenants.at("/0/leases").asInt()).isEqualTo(1);
        assertThat(MAPPER.readTree(get("mine-viewer", "/api/tenants", 200)).path("tenants"))
                .hasSize(1);

        service.stop(Duration.ZERO);
        start();
        assertThat(MAPPER.readTree(get("shop-viewer", "/api/tenants/shop/usage", 200))
                        .at("/total/permits")
                        .asInt())
                .isEqualTo(2);
    }
}
