package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.health.ProbeSettings;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.Strategy;
import io.paceline.pool.TaskSettings;
import io.paceline.redis.RedisSettings;
import io.paceline.store.OnAddressDeath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a configuration becomes, and what is said where it cannot become anything. */
class ConfigLoaderTest {

    private static final String DIRECT = "pools: [{name: default, addresses: [direct]%s}]\n";

    @TempDir
    Path folder;

    @Test
    void without_any_configuration_our_own_address_serves_at_the_default_pace() {
        ServiceConfig config = Configs.loaded(ConfigLoader.load(Configs.inputs(folder)));
        assertThat(config.api()).isEqualTo(ApiConfig.defaults());
        assertThat(config.proxy()).isEqualTo(ProxyConfig.defaults());
        assertThat(config.pools()).hasSize(1);
        assertThat(config.pools().get(0).settings()).isEqualTo(PoolSettings.defaults("default"));
        assertThat(config.pools().get(0).addresses())
                .extracting(Address::endpoint)
                .containsExactly(Endpoint.DIRECT);
        assertThat(config.rules()).isEmpty();
        assertThat(config.ruleBook().rules()).isEqualTo(RuleBook.empty().rules());
    }

    @Test
    void the_example_is_valid_and_shows_the_defaults() {
        ServiceConfig config = Configs.loaded(ConfigLoader.load(
                Configs.inputs(Path.of("..")).withConfig(Path.of("docs", "examples", "paceline.yaml"))));
        assertThat(config.warnings()).isEmpty();
        assertThat(config.api()).isEqualTo(ApiConfig.defaults());
        assertThat(config.proxy()).isEqualTo(ProxyConfig.defaults());
        PoolSettings settings = config.pools().get(0).settings();
        PoolSettings defaults = PoolSettings.defaults("default");
        assertThat(settings.health()).isEqualTo(defaults.health());
        assertThat(settings.quarantine()).isEqualTo(defaults.quarantine());
        assertThat(settings.session()).isEqualTo(defaults.session());
        assertThat(settings.tasks().get("login")).isNotNull();
        assertThat(config.pools().get(0).addresses()).hasSize(10);
        assertThat(config.rules()).hasSize(5);
    }

    @Test
    void a_country_called_no_stays_a_text() {
        ServiceConfig config = Configs.loaded(
                folder,
                "pools: [{name: on, addresses: [{inline: 198.51.100.7:8080, tags: {country: NO, asn: 010, y: 1:30}}]}]");
        assertThat(config.pools().get(0).settings().name()).isEqualTo("on");
        assertThat(config.pools().get(0).addresses().get(0).tags())
                .containsOnly(Map.entry("country", "NO"), Map.entry("asn", "010"), Map.entry("y", "1:30"));
    }

    @Test
    void lists_are_read_from_the_folder_of_the_configuration_and_a_line_knows_better_than_its_source() {
        Configs.write(folder, "list.txt", "198.51.100.7:1 # country=de\nnonsense\n198.51.100.7:1\n198.51.100.8:1\n");
        ServiceConfig config = Configs.loaded(
                folder,
                "pools: [{name: a, addresses: [{file: list.txt, tags: {country: fr, kind: own}, weight: 2.5, metered: true},"
                        + " {inline: \"198.51.100.8:1\"}]}]");
        List<Address> addresses = config.pools().get(0).addresses();
        assertThat(addresses).hasSize(2).allMatch(address -> address.weight() == 2.5 && address.metered());
        assertThat(addresses.get(0).tags()).containsOnly(Map.entry("country", "de"), Map.entry("kind", "own"));
        assertThat(config.lists())
                .containsExactly(new ListReport("a", "list.txt", 2, 1, 1), new ListReport("a", "inline", 0, 1, 0));
        assertThat(config.warnings()).hasSize(1);
        assertThat(config.warnings().get(0).toString()).startsWith("list.txt:2:1: line left out: ");
    }

    @Test
    void an_empty_list_is_refused_at_the_start() {
        Configs.write(folder, "list.txt", "");
        assertThat(Configs.errors(ConfigLoader.load(Configs.inputs(folder)
                        .withFiles(Optional.empty(), List.of(Path.of("list.txt")), Optional.empty()))))
                .hasSize(1)
                .allMatch(error -> error.startsWith("list.txt: the list list.txt has no usable line"));
    }

    @Test
    void proxies_and_rules_may_come_in_files_of_their_own() {
        Configs.write(folder, "a.txt", "198.51.100.7:1\n");
        Configs.write(folder, "b.txt", "198.51.100.7:1\n198.51.100.8:1\n");
        Configs.write(folder, "rules.yaml", "rules: [{pattern: \"*\", limit: 3, window: 1s}]");
        ServiceConfig config = Configs.loaded(ConfigLoader.load(Configs.inputs(folder)
                .withFiles(
                        Optional.empty(),
                        List.of(Path.of("a.txt"), Path.of("b.txt")),
                        Optional.of(Path.of("rules.yaml")))));
        assertThat(config.pools().get(0).addresses()).hasSize(2);
        assertThat(config.rules()).hasSize(1);
    }

    @Test
    void what_is_given_twice_is_refused() {
        Configs.write(folder, "a.txt", "198.51.100.7:1\n");
        Configs.write(folder, "rules.yaml", "rules: []\nstore: memory\n");
        Configs.write(folder, "c.yaml", String.format(DIRECT, "") + "rules: []\n");
        assertThat(Configs.errors(ConfigLoader.load(Configs.inputs(folder)
                        .withFiles(
                                Optional.of(Path.of("c.yaml")),
                                List.of(Path.of("a.txt")),
                                Optional.of(Path.of("rules.yaml"))))))
                .hasSize(3)
                .anyMatch(error -> error.startsWith("c.yaml:1:8: pools stand here and in --proxies"))
                .anyMatch(error -> error.startsWith("c.yaml:2:8: rules stand here and in --rules"))
                .anyMatch(error -> error.startsWith("rules.yaml:2:8: the key \"store\" does not belong here"));
    }

    @Test
    void the_command_line_takes_the_place_of_the_file() {
        Configs.write(folder, "c.yaml", "api: {listen: \"127.0.0.1:1\"}\n");
        ServiceConfig config = Configs.loaded(ConfigLoader.load(Configs.inputs(folder)
                .withConfig(Path.of("c.yaml"))
                .withOverrides(Optional.of("[::1]:0"), Optional.of("localhost:0"), Optional.of("memory"), true)));
        assertThat(config.api().listen()).isEqualTo(new ListenAddress("::1", 0));
        assertThat(config.proxy().listen()).isEqualTo(new ListenAddress("localhost", 0));
        assertThat(config.proxy().allowPrivateTargets()).isTrue();
    }

    @Test
    void an_open_address_on_the_command_line_needs_a_token_too() {
        assertThat(Configs.errors(ConfigLoader.load(Configs.inputs(folder)
                        .withOverrides(Optional.of("0.0.0.0:1"), Optional.of("x"), Optional.of("redes://h"), false))))
                .containsExactlyInAnyOrder(
                        "--api: api.listen 0.0.0.0:1 is open to other machines and no token is configured: add api.tokens,"
                                + " or listen on 127.0.0.1:1",
                        "--proxy: \"x\" is no address to listen on: write host:port, 127.0.0.1:8080 or [::1]:8080",
                        "--store: the store's address begins with 'redes': write one of redis://, rediss://,"
                                + " redis-sentinel://, rediss-sentinel://, redis-cluster://, rediss-cluster://");
    }

    @Test
    void secrets_come_from_the_environment_and_from_files_and_are_never_printed() {
        Configs.write(folder, "token.txt", "f1le-t0ken\n");
        ServiceConfig config = Configs.loaded(
                Configs.load(folder, Map.of("TOKEN", "env-t0ken", "PW", "p@ss/w0rd", "HOST", "0.0.0.0"), """
                api:
                  listen: ${HOST}:8080
                  tokens:
                    - { name: a, token: "${TOKEN}" }
                    - { name: b, token: "${file:token.txt}", role: operator }
                    - { name: c, token: "$${TOKEN}" }
                pools:
                  - name: default
                    addresses: [ { inline: "198.51.100.7:80:user01:${PW}" } ]
                """));
        assertThat(config.api().tokens())
                .extracting(token -> token.token().value())
                .containsExactly("env-t0ken", "f1le-t0ken", "${TOKEN}");
        assertThat(config.pools().get(0).addresses().get(0).endpoint().credentials())
                .isNotNull()
                .extracting(credentials -> credentials.password())
                .isEqualTo("p@ss/w0rd");
        assertThat(config.describe() + config)
                .doesNotContain("t0ken\"", "env-t0ken", "f1le-t0ken", "p@ss/w0rd")
                .contains("a (client) ***");
    }

    @Test
    void a_secret_in_the_wrong_place_does_not_appear_in_the_error() {
        assertThat(Configs.errors(Configs.load(
                        folder,
                        Map.of("TOKEN", "s3cr3t-value"),
                        "api: {listen: \"${TOKEN}\", on_refusal: \"${TOKEN}\"}")))
                .hasSize(2)
                .allMatch(error -> error.contains("${TOKEN}") && !error.contains("s3cr3t"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${NOT_SET}|the environment variable NOT_SET is not set",
                "${file:nowhere.txt}|the secret file nowhere.txt cannot be read",
                "${not closed|${ is not closed",
                "${a-b}|is no name of a variable",
                "${}|is no name of a variable",
            })
    void a_reference_that_leads_nowhere_is_named(String reference, String message) {
        assertThat(Configs.errors(folder, "api:\n  tokens: [{name: a, token: \"" + reference + "\"}]\n"))
                .singleElement()
                .asString()
                .startsWith("paceline.yaml:2:29: token cannot be resolved: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue: {url: x}|queue is not supported",
                "{store: redis://a, redis: {division: hsah}}|did you mean hash? write broker, hash, modulo or domain",
                "{store: redis://a, redis: {divison: hash}}|did you mean",
                "{store: redis://a, redis: {prefix: \"{x}\"}}|is not 1 to 64 of letters",
                "{store: redis://a, redis: {timeout: 5s}}|is not between 10ms and 200ms",
                "tenants: [{name: a}]|a tenant has no pools: write pools: [default]",
                "tenants: [{pools: [default]}]|a tenant has no name",
                "tenants: [{name: a, pools: [defaul]}]|no pool is called \"defaul\": did you mean \"default\"?",
                "tenants: [{name: a, pools: [default], quota: {permits: 100}}]|permits \"100\" has no window",
                "tenants: [{name: a, pools: [default], quota: {permits: 1.5/day}}]|is no amount in a window",
                "tenants: [{name: a, pools: [default], quota: {permits: 0/day}}]|is not at least 1",
                "tenants: [{name: a, pools: [default], quota: {permits: 9/month}}]|months and years are no windows",
                "tenants: [{name: a, pools: [default], quota: {bytes: 10XB/day}}]|is no amount in a window",
                "tenants: [{name: a, pools: [default], quota: {bytes: 1GiB/7h}}]|is none of the calendar",
                "tenants: [{name: a, pools: [default], quota: {zone: Mars/North}}]|is no time zone",
                "tenants: [{name: a, pools: [default], quota: {lease: 3}}]|did you mean \"leases\"?",
                "tenants: [{name: a, pools: [default], prices: {per_gib: -1}}]|is no price",
                "tenants: [{name: a, pools: [default], prices: {pools: {x: {per_gib: 1}}}}]|no pool is called \"x\"",
                "tenants: [{name: a, pools: [default]}, {name: a, pools: [default]}]|two tenants are called \"a\"",
                "rules: [{pattern: \"*\", name: quota.bytes, limit: 1, window: 1s}]|is taken",
                "targets: [{match: a.example, headers: {Host: b}}]|Host cannot be suggested",
                "targets: [{match: a.example, headers: {\"a b\": b}}]|is no name of a header field",
                "alerts: {webhook: x}|alerts is not supported",
                "queue: {url: x}|queue is not supported",
                "worker: {concurrency: 1}|worker is not supported",
                "scaler: {min: 1}|scaler is not supported",
                "proxy: {socks: 127.0.0.1:1080}|proxy.socks is not supported",
                "targets: [{match: a.example, pace: {floor: 6/s}}, {match: b.example, pace: {floor: fast}}]|such as 0.5/s",
                "targets: [{match: a.example, pace: {floor: 6/s, ceiling: 5/s}}]|floor 6.0/s is not above 0",
                "targets: [{match: a.example, robots: obay}]|did you mean",
                "robots: {agent: my bot/1.0}|is no product token",
                "targets: [{match: a.example, user_agent: \"bot \\u00f6\"}]|user_agent is no value of a User-Agent",
                "targets: [{match: a.example, hints: addres}]|did you mean",
                "store: [redis://a, rediss://b]|are reached alike",
                "store: [redis://u:p@a, redis://u:q@b]|one user and password",
                "store: [redis://a/1]|with no database",
                "store: [a, b]|a node of a cluster",
                "store: [redis-sentinel://a]|redis-sentinel://host1,host2#master",
            })
    void a_key_of_another_version_is_refused_as_such(String yaml, String message) {
        assertThat(Configs.errors(folder, yaml)).singleElement().asString().contains(message);
    }

    @Test
    void a_shared_store_is_used_and_divided_as_redis_says() {
        StoreChoice store = Configs.loaded(folder, """
                store: redis://:s3cret@10.0.0.5
                redis: { prefix: shop, timeout: 50ms, division: domain }
                """).store();
        assertThat(store.described()).isEqualTo("redis(10.0.0.5), division domain");
        assertThat(store.redis())
                .isEqualTo(new RedisSettings("redis://:s3cret@10.0.0.5", "shop", Duration.ofMillis(50), 10_000));
    }

    @Test
    void redis_without_a_shared_store_is_of_no_use() {
        ServiceConfig config = Configs.loaded(folder, "redis: { division: hash }");
        assertThat(config.store().isMemory()).isTrue();
        assertThat(config.warnings()).singleElement().asString().contains("the store is memory: write store:");
    }

    @Test
    void a_list_of_stores_is_a_cluster_and_its_password_is_never_told() {
        StoreChoice store = Configs.loaded(folder, "store: [ \"redis://bob:s3cret@a:7000\", redis://b:7001 ]\n")
                .store();

        assertThat(Objects.requireNonNull(store.redis()).uri()).isEqualTo("redis-cluster://bob:s3cret@a:7000,b:7001");
        assertThat(store).hasToString("redis(a:7000, b:7001)");
    }

    @Test
    void tenants_are_read_with_pools_rules_quotas_and_prices() {
        TenantSettings tenant = Configs.loaded(folder, """
                api: { tokens: [ { name: c, token: t, tenant: shop } ] }
                pools: [ { name: a, addresses: [ direct ] }, { name: b, addresses: [ direct ] } ]
                tenants:
                  - name: shop
                    pools: [ b, a ]
                    rules: [ { name: slow, pattern: a.example, limit: 1, window: 1s } ]
                    quota: { permits: 100000/day, leases: 200, bytes: 10GiB/day, money: 5.00/week, zone: Europe/Berlin }
                    prices: { per_permit: 0.0005, per_gib: 0.5, kinds: { residential: { per_gib: 8 } } }
                """).tenants().get(0);

        assertThat(tenant.pools()).containsExactly("b", "a");
        assertThat(tenant.namedRules()).extracting(Rule::name).containsExactly("shop/slow");
        assertThat(ConfigLoader.described(tenant))
                .isEqualTo(
                        "pools b, a; 100000 permits a day; 200 leases at once; 10737418240 bytes a day; 5.00 of money"
                                + " a week; zone Europe/Berlin");
        assertThat(tenant.prices().permit("a", "residential")).isEqualTo(500_000);
        assertThat(tenant.prices().bytes("a", "residential", 1L << 29)).isEqualTo(4_000_000_000L);
    }

    @Test
    void a_token_of_a_tenant_that_does_not_exist_is_a_fault_and_a_tenant_without_token_a_warning() {
        assertThat(Configs.errors(folder, """
                        api: { tokens: [ { name: c, token: t, tenant: shopz } ] }
                        tenants: [ { name: shops, pools: [ default ] } ]
                        """))
                .singleElement()
                .asString()
                .contains("1:", "no tenant is called \"shopz\": did you mean \"shops\"?");
        assertThat(Configs.loaded(folder, "tenants: [{name: shop, pools: [default]}]")
                        .warnings())
                .singleElement()
                .asString()
                .contains("no token names the tenant \"shop\"");
    }

    @Test
    void headers_of_the_narrower_entry_go_before_and_a_browsers_name_is_warned_of() {
        ServiceConfig config = Configs.loaded(folder, """
                targets:
                  - { match: "*", user_agent: "mybot/1.0 (+https://example.com/bot)", headers: { Accept: text/html } }
                  - { match: a.example, headers: { accept: application/json } }
                """);
        TargetUrl url = TargetUrl.parseLoosely("https://a.example/");
        assertThat(config.targetBook().policyOf(url).headers())
                .containsEntry("User-Agent", "mybot/1.0 (+https://example.com/bot)")
                .containsEntry("Accept", "application/json");
        assertThat(config.warnings()).isEmpty();

        assertThat(Configs.loaded(folder, "targets: [{match: \"*\", user_agent: \"Mozilla/5.0 (X11)\"}]")
                        .warnings())
                .singleElement()
                .asString()
                .contains("is a browser's: an honest one names the crawler");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit: 1, window: 1s, per: session|sliding-window: up to 1 at once|session",
                "limit: 1, window: 1s, per: [address, target]|up to 1 at once|target, address",
                "limit: 1, window: 1s, per: [tenant, client]|up to 1 at once|client, tenant",
                "limit: 1, window: 1s, per: global|up to 1 at once|global",
                "limit: 10, window: 1s, algorithm: token-bucket, burst: 20|but up to 29 in any 1 s|target",
                "limit: 9, window: 1d, algorithm: fixed-window|up to 9 in each day of the calendar (Z)|target",
                "limit: 9, window: 7d, algorithm: fixed-window, zone: Asia/Tokyo|from Monday, of the calendar (Asia/T|target",
                "limit: 9, window: 1m, on_limit: reserve, max_wait: 5s|gives tickets up to 5s ahead|target",
            })
    void every_algorithm_and_scope_is_read_and_said_in_words(String settings, String says, String scope) {
        Rule rule = Configs.loaded(folder, "rules: [{pattern: \"*\", " + settings + "}]")
                .rules()
                .get(0);

        assertThat(ConfigLoader.sustained(rule)).contains(says);
        assertThat(rule.per().word()).isEqualTo(scope);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit: 1, window: 1s, per: [rule, target]|it says nothing: leave one of them out",
                "limit: 1, window: 1s, per: []|per is empty: write per: target",
                "limit: 1, window: 1s, per: adress|did you mean address",
                "limit: 1, window: 1s, per: {target: a}|write per: [target, address]",
                "limit: 1, window: 7m, algorithm: fixed-window|is none of the calendar",
                "limit: 1, window: 1d, algorithm: fixed-window, zone: Berlin|is no time zone: write one as Europe/Berlin",
                "limit: 1, window: 1d, zone: UTC|write algorithm: fixed-window",
                "limit: 5, window: 1s, algorithm: fixed-window, burst: 2|burst 2 means nothing to a fixed-window",
                "limit: 5, window: 1s, algorithm: gcra, burst: 6|burst 6 is above limit 5",
            })
    void what_a_rule_cannot_mean_is_refused_with_what_to_write(String settings, String message) {
        assertThat(Configs.errors(folder, "rules: [{pattern: \"*\", " + settings + "}]"))
                .singleElement()
                .asString()
                .contains(message);
    }

    @Test
    void lists_with_urls_and_supply_become_records_that_show_no_key() {
        ServiceConfig config = Configs.loaded(folder, """
                reload: {poll: 200ms, settle: 0s}
                pools:
                  - name: default
                    addresses:
                      - {url: "https://lists.example.net/a?key=s3cret", refresh: 5m, tags: {kind: mobile}, metered: true}
                      - {url: "https://u:s3cret@lists.example.net/b"}
                    supply: {below: 20, url: "https://p.example.net/s3cret/buy?n={missing}", items: "/data/*/proxy",
                      every: 1m, budget: 100/day}
                """);
        assertThat(config.pools().get(0).addresses()).isEmpty();
        assertThat(config.reload()).isEqualTo(new ReloadConfig(true, Duration.ofMillis(200), Duration.ZERO));
        assertThat(config.urlLists())
                .extracting(UrlList::shown)
                .containsExactly("https://lists.example.net", "https://lists.example.net (2)");
        UrlList first = config.urlLists().get(0);
        assertThat(first.url().value()).isEqualTo("https://lists.example.net/a?key=s3cret");
        assertThat(first.refresh()).isEqualTo(Duration.ofMinutes(5));
        assertThat(first.metered()).isTrue();
        SupplyConfig supply = config.supplies().get(0);
        assertThat(supply.below()).isEqualTo(20);
        assertThat(supply.items()).isEqualTo("/data/*/proxy");
        assertThat(supply.every()).isEqualTo(Duration.ofMinutes(1));
        assertThat(supply.most()).isEqualTo(100);
        assertThat(supply.period()).isEqualTo(Duration.ofDays(1));
        assertThat(config.describe()).contains("p.example.net").doesNotContain("s3cret");
        assertThat(config.toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "addresses: [{url: ftp://a.example/s3cret}]|url is no http or https URL with a host",
                "addresses: [{url: \"http://a.example/s3c ret\"}]|url is no URL (character 21 does not fit)",
                "addresses: [{url: \"http://a.example/\", refresh: 1ms}]|refresh 1ms is below 1s",
                "addresses: [{inline: \"198.51.100.1:80\", refresh: 1m}]|refresh means nothing without url",
                "addresses: [{url: \"http://a.example/\", file: x}]|an address needs one of file, inline and url",
                "addresses: [{url: \"http://a.example/\"}, {url: \"http://a.example/\"}]|stands in the pool twice",
                "addresses: [direct], supply: {below: 2, url: \"http://a.example/\"}|budget is missing",
                "addresses: [direct], supply: {below: 2, url: \"http://a/{mising}\", budget: 1/day}|mean {missing}?",
                "addresses: [direct], supply: {below: 2, url: \"http://a/\", budget: 1/month}|write budget: 100/day",
                "addresses: [direct], supply: {below: 2, url: \"http://a/\", budget: 1/day, items: data}|JSON pointer",
                "addresses: [direct], supply: {below: 0, url: \"http://a/\", budget: 1/day}|below \"0\" is no whole number",
                "addresses: [direct], supply: {below: 2, url: \"http://a/\", budget: 1/day, every: 0s}|every 0s is below 1s",
            })
    void what_cannot_be_fetched_or_asked_is_refused_without_showing_it(String pool, String message) {
        assertThat(Configs.errors(folder, "pools: [{name: a, " + pool + "}]"))
                .first()
                .asString()
                .contains(message)
                .doesNotContain("s3c");
    }

    @Test
    void every_file_that_was_read_is_known_also_of_a_configuration_that_is_broken() {
        Configs.write(folder, "list.txt", "198.51.100.7:8080");
        Configs.write(folder, "token", "a-token-of-a-file");
        ServiceConfig config = Configs.loaded(folder, """
                api: {tokens: [{name: a, token: "${file:token}"}]}
                pools: [{name: default, addresses: [{file: list.txt}]}]
                """);
        assertThat(config.files())
                .containsOnlyKeys(folder.resolve("paceline.yaml"), folder.resolve("list.txt"), folder.resolve("token"));
        assertThat(config.files())
                .allSatisfy((file, stamp) -> assertThat(FileStamp.of(file)).isEqualTo(stamp));

        ConfigResult broken = Configs.load(folder, Map.of(), "pools: [{name: a, addresses: [{file: missing.txt}]}]");
        assertThat(broken)
                .isInstanceOfSatisfying(
                        ConfigResult.Broken.class,
                        result -> assertThat(result.files())
                                .containsEntry(folder.resolve("missing.txt"), FileStamp.ABSENT));
    }

    @Test
    void sessions_preferences_and_fallbacks_become_records() {
        ServiceConfig config = Configs.loaded(
                folder,
                "pools:\n"
                        + "  - {name: default, addresses: [direct], fallback: spare, session: {on_address_death: migrate},"
                        + " tasks: {a: {prefer: {kind: datacenter, country: DE}}, b: {strategy: hash}}}\n"
                        + "  - {name: spare, addresses: [direct], session: {on_address_death: pause}}\n"
                        + "targets: [{match: .example.com, prefer: {country: De}}, {match: a.example.com, prefer: {}}]");
        PoolSettings first = config.pools().get(0).settings();
        assertThat(first.fallback()).isEqualTo("spare");
        assertThat(first.session().onAddressDeath()).isEqualTo(OnAddressDeath.MIGRATE);
        assertThat(first.tasks())
                .containsEntry("a", new TaskSettings(null, Map.of("kind", "datacenter", "country", "de")))
                .containsEntry("b", new TaskSettings(Strategy.HASH, Map.of()));
        assertThat(config.pools().get(1).settings().session().onAddressDeath()).isEqualTo(OnAddressDeath.PAUSE);
        assertThat(config.pools().get(1).settings().fallback()).isNull();
        assertThat(config.targets())
                .extracting(TargetSettings::prefer)
                .containsExactly(Map.of("country", "de"), Map.of());
        assertThat(config.describe())
                .contains("on_address_death migrate, fallback spare")
                .contains("{country=de}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spre| |no pool is called \"spre\": did you mean \"spare\"?",
                "nothing| |no pool is called \"nothing\": there are default, spare",
                "default| |fallback leads in a circle, default -> default: take it out of one of them",
                "spare|default|fallback leads in a circle, default -> spare -> default: take it out of one of them",
            })
    void a_fallback_that_leads_nowhere_is_refused(String first, @Nullable String second, String message) {
        String yaml = "pools:\n  - {name: default, addresses: [direct], fallback: " + first + "}\n"
                + "  - {name: spare, addresses: [direct]" + (second == null ? "" : ", fallback: " + second) + "}\n";
        assertThat(Configs.errors(folder, yaml))
                .singleElement()
                .asString()
                .contains(":2:52: ")
                .contains(message);
    }

    @Test
    void a_task_that_changes_nothing_is_refused() {
        assertThat(Configs.errors(folder, String.format(DIRECT, ", tasks: {a: {}}")))
                .singleElement()
                .asString()
                .contains("task \"a\" has neither strategy nor prefer");
    }

    @Test
    void what_this_version_does_anyway_may_be_said() {
        Configs.loaded(
                folder,
                String.format(DIRECT, ", probe: {urls: []}, quarantine: {panic: off}, fallback: off")
                        + "proxy: {socks: off}\ntenants: []\nscaler:\n"
                        + "targets: [{match: \"*\", robots: ignore, hints: target}]");
    }

    @Test
    void probe_settings_become_records() {
        PoolSettings settings = Configs.loaded(
                        folder,
                        String.format(
                                DIRECT,
                                ", probe: {urls: [\"http://198.51.100.1/ok\", \"https://203.0.113.9/ok?k=1\"],"
                                        + " idle: 45s..2m, rise: 3, rate: 30/m}"))
                .pools()
                .get(0)
                .settings();
        assertThat(settings.probe())
                .isEqualTo(new ProbeSettings(
                        List.of("http://198.51.100.1/ok", "https://203.0.113.9/ok?k=1"),
                        Duration.ofSeconds(45),
                        Duration.ofMinutes(2),
                        0.5));
        assertThat(settings.health().rise()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "urls: [ftp://a.example/]|a control URL cannot be used",
                "urls: [a.example/ok]|write http://... or https://...",
                "urls: [\"http://u:hunter2@a.example/ok\"]|with user or password cannot be asked: write http://a.example/...",
                "urls: http://a.example/|urls is a single value where a list is expected",
                "urls: [http://a.example/, http://a.example/]|stands in the list twice",
                "idle: 60s..30s|idle \"60s..30s\" is upside down: write idle: 30s..1m",
                "idle: 0s..30s|begins at 0",
                "idle: soon|is no duration",
                "idle: 30..60|has no unit",
                "rate: 10|rate \"10\" is no rate above 0",
                "rate: 0/s|is no rate above 0",
                "rise: 0|rise \"0\" is no whole number",
                "every: 5s|unknown key \"every\" in pools.probe",
            })
    void a_broken_probe_setting_says_what_to_write(String setting, String message) {
        assertThat(Configs.errors(folder, String.format(DIRECT, ", probe: {" + setting + "}")))
                .singleElement()
                .asString()
                .contains(message)
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[http://a.example/]|one control URL cannot be told from its own failure",
                "[http://a.example/x, https://a.example/y]|all control URLs are at one host",
            })
    void control_urls_that_are_not_independent_are_warned_about(String urls, String message) {
        assertThat(Configs.loaded(folder, String.format(DIRECT, ", probe: {urls: " + urls + "}"))
                        .warnings())
                .singleElement()
                .asString()
                .contains(message);
    }

    @Test
    void the_configuration_in_effect_names_control_urls_without_their_queries() {
        assertThat(Configs.loaded(
                                folder, String.format(DIRECT, ", probe: {urls: [\"http://a.example/ok?key=hunter2\"]}"))
                        .describe())
                .contains("probe rise 5 urls http://a.example/ok idle 30s..1m rate 10/s")
                .doesNotContain("hunter2");
    }

    @Test
    void pool_settings_become_records() {
        PoolSettings settings = Configs.loaded(
                        folder,
                        String.format(
                                DIRECT,
                                ", strategy: hash+least-leases, tasks: {login: {strategy: hash}}, max_leases: 1, lease_ttl: 1h30m,"
                                        + " session: {ttl: 1d, mode: fixed}, health: {fail_of: [2, 4]}, probe: {rise: 2},"
                                        + " slow_start: {from: 0.5, over: 0s}, quarantine: {base: 100ms, max_share: 1, min_in_service: 0, dead_after: 3, panic: on}"))
                .pools()
                .get(0)
                .settings();
        assertThat(settings.strategy()).isEqualTo(Strategy.HASH_LEAST_LEASES);
        assertThat(settings.maxLeases()).isEqualTo(1);
        assertThat(settings.maxLeasesPerTarget()).isEqualTo(1);
        assertThat(settings.leaseTtl()).isEqualTo(Duration.ofMinutes(90));
        assertThat(settings.session().ttl()).isEqualTo(Duration.ofDays(1));
        assertThat(settings.health().suspect().failuresOf()).isEqualTo(4);
        assertThat(settings.health().rise()).isEqualTo(2);
        assertThat(settings.health().slowStartOver()).isZero();
        assertThat(settings.quarantine().base()).isEqualTo(Duration.ofMillis(100));
        assertThat(settings.quarantine().maxShare()).isEqualTo(1);
        assertThat(settings.quarantine().deadAfter()).isEqualTo(3);
        assertThat(settings.quarantine().panic()).isTrue();
    }

    @Test
    void one_address_in_two_pools_has_one_id() {
        ServiceConfig config =
                Configs.loaded(folder, "pools: [{name: a, addresses: [direct]}, {name: b, addresses: [direct]}]");
        assertThat(config.pools().get(0).addresses())
                .isEqualTo(config.pools().get(1).addresses());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|1:1: the file is empty",
                "[]|1:1: the file is a list",
                "text|1:1: the file is a single value",
                "api: []|1:6: api is a list where a mapping is expected",
                "rules: {}|1:8: rules is a mapping where a list is expected",
                "rules: [x]|1:9: a rule is a single value",
                "rules: [{limit: 1, window: 1s}]|1:9: a rule has no pattern",
                "rules: [{pattern: \"*\"}]|1:9: neither limit nor concurrency is set",
                "rules: [{pattern: \"*\", limit: 1}]|1:9: window is missing",
                "rules: [{pattern: \"*\", limit: 1, window: 1 m}]|1:42: window \"1 m\" is no duration",
                "rules: [{pattern: \"*\", limit: 1, window: -1s}]|is no duration",
                "rules: [{pattern: \"*\", limit: 1, window: 30m1h}]|is no duration",
                "rules: [{pattern: \"*example.com\", limit: 1, window: 1s}]|1:19: pattern",
                "rules: [{pattern: \"*\", limit: 1, window: 1s, max_wait: 1s}]|1:56: max_wait",
                "rules: [{pattern: \"*\", limit: 1, window: 1s, action: wait}]|did you mean \"on_limit\"",
                "rules: [{pattern: \"*\", limit: 1, window: 1s, zzzzzz: wait}]|known are name, pattern",
                "pools: []|pools is empty",
                "pools: [{addresses: [direct]}]|a pool has no name",
                "pools: [{name: a}]|pool \"a\" has no addresses",
                "pools: [{name: a, addresses: [{}]}]|an address needs one of file, inline and url",
                "pools: [{name: a, addresses: [{inline: x, file: y}]}]|an address needs one of file, inline and url",
                "pools: [{name: a, addresses: [{inline: direct, weight: 0}]}]|weight \"0\" is no number",
                "pools: [{name: a, addresses: [direct], max_leases: 2, max_leases_per_target: 3}]|between 1 and 2",
                "pools: [{name: a, addresses: [direct], slow_start: {from: 5%}}]|from \"5%\" is no number",
                "pools: [{name: a, addresses: [direct], tasks: {x: {strategy: fast}}}]|strategy \"fast\" is unknown",
                "pools: [{name: a, addresses: [direct], quarantine: {base: 2h}}]|cap 1h (the default) is below base 2h",
                "targets: [{pool: default}]|a target has no match",
                "targets: [{match: \"*\", pool: x}]|no pool is called \"x\": there are default",
                "api: {tokens: [{name: a}]}|a token has no token",
                "api: {tokens: [{name: a, token: \"sha256:12\"}]}|token is no SHA-256",
                "api: {listen: \"127.0.0.1:8000\"}|api and proxy both listen on 127.0.0.1:8000",
                "<<: {a: b}|YAML 1.2 has no merge keys",
                "rules: [{pattern: \"*\", limit: 1|1:32: the YAML breaks here",
                "rules: @x|a value cannot begin with @",
            })
    void says_where_and_what_to_write(String yaml, String message) {
        assertThat(Configs.errors(folder, yaml)).first().asString().contains(message);
    }

    @Test
    void rules_of_one_name_are_refused() {
        assertThat(Configs.errors(folder, """
                        rules:
                          - {pattern: a.example, limit: 1, window: 1s}
                          - {pattern: a.example, limit: 2, window: 1s}
                        """))
                .containsExactly(
                        "paceline.yaml:3:5: two rules are called \"a.example\", the first in line 2: give each its own"
                                + " name, and name: to those without one");
    }

    @Test
    void a_burst_near_the_limit_is_warned_of_at_its_place() {
        assertThat(Configs.loaded(folder, "rules: [{pattern: \"*\", limit: 10, window: 1m, burst: 10}]")
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("paceline.yaml:1:54: burst 10 is near limit 10");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_a_file_holds_it_is_loaded_or_refused(long seed) {
        Random random = new Random(seed);
        String text = """
                api: {listen: 127.0.0.1:8080, tokens: [{name: a, token: "${T}"}]}
                pools:
                  - name: default
                    addresses: [direct, {inline: "http://u:p@198.51.100.7:80", tags: {a: b}}]
                    quarantine: {base: 1m, cap: 1h}
                rules: [{pattern: "*", limit: 1, window: 1s}]
                """;
        String noise = "*&:{}[]\"'\n\t -#?|>%@`!,~\u0000\ufeff\ud800";
        for (int i = 0; i < 500; i++) {
            StringBuilder mutated = new StringBuilder(text);
            for (int j = random.nextInt(4); j >= 0; j--) {
                int at = random.nextInt(mutated.length());
                mutated.replace(
                        at, at + random.nextInt(2), String.valueOf(noise.charAt(random.nextInt(noise.length()))));
            }
            String yaml = new String(mutated.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            assertThat(Configs.load(folder, Map.of("T", "t0ken-value"), yaml).toString())
                    .doesNotContain("t0ken-value");
        }
    }
}
