package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands print, where, and with which exit code. */
class MainTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "serve",
                "status",
                "check",
                "proxies",
                "proxies test",
                "proxies convert",
                "try",
                "try url",
                "try line"
            })
    void help_and_version_work_everywhere(String command) {
        String[] words = command.isEmpty() ? new String[0] : command.split(" ", -1);
        Run help = Run.of(with(words, "--help"));
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .startsWith("Usage: " + ("paceline " + command).strip())
                .contains("Exit codes:");
        assertThat(help.err()).isEmpty();

        Run version = Run.of(with(words, "--version"));
        assertThat(version.code()).isZero();
        assertThat(version.out()).startsWith("paceline ");
    }

    @Test
    void a_mistyped_command_is_met_with_the_nearest_one() {
        Run run = Run.of("chek");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("chek").contains("did you mean check"));
    }

    @Test
    void a_mistyped_option_is_met_with_the_nearest_one() {
        Run run = Run.of("check", "--confg", "x");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("did you mean --config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "proxies", "try"})
    void a_missing_command_is_a_usage_error(String command) {
        Run run = Run.of(command.isEmpty() ? new String[0] : new String[] {command});
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("a command is missing");
    }

    @Test
    void check_without_a_configuration_tells_the_default_pace() {
        Run run = Run.of("check");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("pool default: 1 address").contains("1/s sustained");
    }

    @Test
    void check_prints_pools_rules_and_warnings() throws IOException {
        Path list = Files.writeString(folder.resolve("list.txt"), "198.51.100.7:1\n198.51.100.7:1\nnonsense\n");
        Path rules = Files.writeString(
                folder.resolve("rules.yaml"), "rules: [{name: a, pattern: \"*\", limit: 50, window: 1m, burst: 5}]");
        Run run = Run.of("check", "--proxies", list.toString(), "--rules", rules.toString());
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("1 address, 1 duplicate, 1 bad line")
                .contains("a (*), per target: gcra: 5 at once, then one every 1.304 s")
                .contains("warning: " + list + ":3:1: line left out: ");
    }

    @Test
    void check_prints_every_error_with_its_place_and_exits_with_1() throws IOException {
        Path config = Files.writeString(
                folder.resolve("c.yaml"), "store: nowhere\nrules: [{pattern: \"*\", limt: 1, window: 1m}]\n");
        Run run = Run.of("check", "--config", config.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith(config + ":1:8: "))
                .anyMatch(line -> line.startsWith(config + ":2:24: ") && line.contains("\"limit\""));
    }

    @Test
    void try_line_shows_the_parts_and_masks_the_password() {
        Run run = Run.of("try", "line", "socks5h://user01:s3cr3t@198.51.100.8:1080");
        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .containsExactly(
                        "scheme: socks5h",
                        "host: 198.51.100.8",
                        "port: 1080",
                        "user: user01",
                        "pass: ***",
                        "remote_dns: true");
        assertThat(Run.of("try", "line", "--show-secrets", "198.51.100.7:80:u:s3cr3t")
                        .out())
                .contains("pass: s3cr3t");
    }

    @Test
    void try_line_speaks_json() throws IOException {
        JsonNode range = json(Run.of("try", "line", "--json", "gw.example.net:10000-10099:u:p"));
        assertThat(range.get("ports")).hasSize(2);
        assertThat(range.get("count").asInt()).isEqualTo(100);
        assertThat(json(Run.of("try", "line", "--json", "# remark")).get("skip").asBoolean())
                .isTrue();
        Run bad = Run.of("try", "line", "--json", "198.51.100.7:0");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(json(bad).get("error").asText()).isEqualTo("bad_port");
    }

    @Test
    void a_bad_line_is_refused_without_its_password() {
        Run run = Run.of("try", "line", "sock5://user01:s3cr3t@198.51.100.8:1080");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("unsupported_scheme: ")
                .contains("sock5")
                .doesNotContain("s3cr3t");
    }

    @Test
    void convert_writes_each_proxy_once_in_one_format() throws IOException {
        Path list = Files.writeString(
                folder.resolve("list.txt"),
                "198.51.100.7:80:u:p@ss\nhttp://u:p%40ss@198.51.100.7:80\nnonsense\ndirect\n");
        Run url = Run.of("proxies", "convert", list.toString());
        assertThat(url.code()).isZero();
        assertThat(url.out().lines()).containsExactly("http://u:p%40ss@198.51.100.7:80", "direct");
        assertThat(url.err()).contains(list + ":3:1: ").contains("1 duplicate");
        assertThat(Run.of("proxies", "convert", list.toString(), "--format", "colon")
                        .out()
                        .lines()
                        .findFirst())
                .contains("198.51.100.7:80:u:p@ss");
        assertThat(Run.of("proxies", "convert", list.toString(), "--format", "json")
                        .out())
                .contains("\"password\":\"p@ss\"");
        assertThat(Run.of("proxies", "convert", list.toString(), "--format", "xml")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void a_list_that_is_missing_or_empty_is_wrong_input() throws IOException {
        assertThat(Run.of("proxies", "convert", folder.resolve("none.txt").toString())
                        .code())
                .isEqualTo(1);
        Path empty = Files.writeString(folder.resolve("empty.txt"), "");
        assertThat(Run.of("proxies", "test", empty.toString()).code()).isEqualTo(1);
    }

    private static JsonNode json(Run run) throws IOException {
        return new ObjectMapper().readTree(run.out());
    }

    private static String[] with(String[] words, String last) {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = last;
        return all;
    }
}
