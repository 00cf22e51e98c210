package io.paceline.service.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of the way from one configuration to another. */
class ConfigChangesTest {

    private static final String START = """
            api: { tokens: [ { name: ops, token: s3cret-1, role: operator } ] }
            pools: [ { name: a, addresses: [ { inline: "http://u:hunter2@198.51.100.1:80" } ] }, { name: b, addresses: [ direct ] } ]
            targets: [ { match: .example.com, name: shop } ]
            rules: [ { name: x, pattern: "*", limit: 5, window: 1m }, { name: y, pattern: a.test, concurrency: 2 } ]
            """;

    @TempDir
    private Path folder;

    private ServiceConfig load(String yaml) {
        try {
            Path file = Files.writeString(folder.resolve("paceline.yaml"), yaml);
            ConfigInputs inputs = ConfigInputs.none(Map.of("KEY", "s3cret-3"), folder, AddressIds.keyed(new byte[32]));
            return ConfigLoader.load(inputs.withConfig(file)).match(config -> config, errors -> {
                throw new AssertionError(errors.toString());
            });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> after(String from, String to) {
        assertThat(START).contains(from);
        return ConfigChanges.between(load(START), load(START.replace(from, to)));
    }

    @Test
    void the_same_text_and_the_same_meaning_in_other_words_are_no_change() {
        assertThat(ConfigChanges.between(load(START), load(START))).isEmpty();
        assertThat(after("window: 1m", "window: 60s")).isEmpty();
    }

    @Test
    void what_is_new_gone_or_otherwise_is_called_by_name() {
        assertThat(after("limit: 5", "limit: 6"))
                .singleElement()
                .asString()
                .startsWith("rule x: pattern *")
                .contains("never more than 6 in any 60 s");
        assertThat(after(", { name: y, pattern: a.test, concurrency: 2 }", "")).containsExactly("rule y is gone");
        assertThat(after("name: y", "name: z"))
                .hasSize(2)
                .anySatisfy(change -> assertThat(change).startsWith("new rule z: pattern a.test"))
                .contains("rule y is gone");
        assertThat(after("name: shop", "name: store")).containsExactly("target .example.com: name store");
        assertThat(after(", { name: b, addresses: [ direct ] }", "")).containsExactly("pool b is gone");
        assertThat(after("name: b,", "name: b, max_leases: 3,"))
                .singleElement()
                .asString()
                .startsWith("pool b: ")
                .contains("max_leases 3");
        assertThat(after("name: b,", "name: b, tasks: {login: {strategy: hash}},"))
                .singleElement()
                .asString()
                .endsWith("(in what is not shown here)");
    }

    @Test
    void another_order_counts_where_the_first_wins() {
        assertThat(
                        after(
                                "{ name: x, pattern: \"*\", limit: 5, window: 1m }, { name: y, pattern: a.test, concurrency: 2 }",
                                "{ name: y, pattern: a.test, concurrency: 2 }, { name: x, pattern: \"*\", limit: 5, window: 1m }"))
                .containsExactly("the rules stand in another order");
    }

    @Test
    void no_secret_is_told() {
        assertThat(after("s3cret-1", "s3cret-2")).containsExactly("token ops is another");
        assertThat(after("name: shop", "name: \"${KEY}\"").toString())
                .contains("${KEY}")
                .doesNotContain("s3cret");
    }

    @Test
    void addresses_are_counted_pool_by_pool() {
        ServiceConfig after = load(START.replace(
                "{ inline: \"http://u:hunter2@198.51.100.1:80\" }",
                "{ inline: \"198.51.100.2:80\" }, { inline: \"198.51.100.3:80\" }"));
        assertThat(ConfigChanges.ofAddresses(load(START).pools(), after.pools()))
                .containsExactly("pool a: addresses 2 added, 1 removed, now 2");
        ServiceConfig heavier = load(START.replace(".1:80\" }", ".1:80\", weight: 2 }"));
        assertThat(ConfigChanges.ofAddresses(load(START).pools(), heavier.pools()))
                .containsExactly("pool a: addresses 1 changed, now 1");
    }

    @Test
    void what_only_a_restart_changes_is_named_with_both_values() {
        ServiceConfig started = load(START);
        ServiceConfig wanted =
                load("proxy: { listen: 127.0.0.1:9000 }\n" + START.replace("api: {", "api: { listen: 127.0.0.1:9001,"));
        assertThat(ConfigChanges.restart(started, wanted))
                .containsExactly(
                        "api.listen: 127.0.0.1:8080 is in force, the configuration has 127.0.0.1:9001",
                        "proxy.listen: 127.0.0.1:8000 is in force, the configuration has 127.0.0.1:9000");
        assertThat(ConfigChanges.between(started, wanted.keeping(started))).isEmpty();
        assertThat(ConfigChanges.restart(started, load(START.replaceFirst("api: .*\n", "\n"))))
                .containsExactly("api.tokens: tokens are in force, the configuration has none");
    }
}
