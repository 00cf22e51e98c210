package io.paceline.pace.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** robots.txt beyond the rows of the shared cases. */
class RobotsTest {

    private static Robots robots(String... lines) {
        return Robots.parse(String.join("\n", lines).getBytes(StandardCharsets.UTF_8), "example-bot/2.1 (+x)");
    }

    private static boolean allows(String pattern, String path) {
        return robots("User-agent: *", "Disallow: " + pattern).check(path).allowed();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    /file-%2A.html   ; /file-*.html    ; false
                    /file-%2A.html   ; /file-x.html    ; true
                    /foo-%24         ; /foo-$          ; false
                    /a$b             ; /a$b            ; false
                    /a|b             ; /a%7Cb          ; false
                    /a%7cb           ; /a|b            ; false
                    /%41             ; /A              ; false
                    /A               ; /%41            ; false
                    /a%2fb           ; /a%2Fb          ; false
                    /a b             ; /a%20b          ; false
                    /100%            ; /100%           ; false
                    /caf\u00e9       ; /caf\u00e9      ; false
                    /*/*/c$          ; /a/b/c          ; false
                    /*/*/c$          ; /a/b/cc         ; true
                    /*a*a*b          ; /aaaaaaa        ; true
                    /*$              ; /anything       ; false
                    /a*              ; /ab             ; false
                    /a**b$           ; /axyb           ; false
                    /a*bc$           ; /abcbc          ; false
                    /ab*b$           ; /ab             ; true
                    /$               ; /?x             ; true
                    ?q=              ; /?q=1           ; true
                    *?q=             ; /x?q=1          ; false
                    /index.php$      ; /index.php?x=$  ; true
                    """)
    void patterns_and_paths_meet_octet_for_octet(String pattern, String path, boolean allowed) {
        assertThat(allows(pattern.strip(), path.strip())).isEqualTo(allowed);
    }

    @Test
    void a_verdict_names_its_line() {
        Robots robots = robots("# ours", "", "User-agent: *", "Disallow: /a # not you", "Allow: /a/b");
        assertThat(robots.check("/a/x").line()).isEqualTo(4);
        assertThat(robots.check("/a/x").text()).isEqualTo("Disallow: /a");
        assertThat(robots.check("/a/b").why()).isEqualTo("line 5: Allow: /a/b");
        assertThat(robots.check("/z").line()).isZero();
    }

    @Test
    void lines_are_counted_whatever_ends_them() {
        Robots robots = Robots.parse("User-agent: *\r\n\r\rDisallow: /a\n".getBytes(StandardCharsets.UTF_8), "x");
        assertThat(robots.check("/a").line()).isEqualTo(4);
    }

    @Test
    void a_group_of_its_own_that_says_nothing_frees_an_agent() {
        assertThat(robots("User-agent: *", "Disallow: /", "User-agent: example-bot")
                        .check("/a")
                        .allowed())
                .isTrue();
    }

    @Test
    void what_owners_misspell_is_understood() {
        assertThat(robots("useragent *", "dissallow: /a").check("/a").allowed()).isFalse();
        assertThat(robots("User-agent : *", "Disallow\t:\t/a").check("/a").allowed())
                .isFalse();
        assertThat(robots("User-agent: * # all", "Disallow:/a").check("/a").allowed())
                .isFalse();
    }

    @Test
    void a_file_in_utf_16_is_read() {
        byte[] wide = "\ufeffUser-agent: *\nDisallow: /a\n".getBytes(StandardCharsets.UTF_16LE);
        assertThat(Robots.parse(wide, "x").check("/a").allowed()).isFalse();
    }

    @Test
    void a_line_that_the_limit_cuts_through_is_no_rule() {
        StringBuilder file = new StringBuilder("User-agent: *\n");
        while (file.length() < Robots.MAX_OCTETS - 10) {
            file.append("#aaaaaaaa\n");
        }
        file.setLength(Robots.MAX_OCTETS - 11);
        file.append("\nDisallow: /private\n");
        Robots robots = Robots.parse(file.toString().getBytes(StandardCharsets.UTF_8), "x");
        assertThat(robots.check("/b").allowed()).isTrue();
        assertThat(robots.notes()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Crawl-delay: 5          | 5
                    Crawl-delay: .5         | 0.5
                    Crawl-delay: 5 # please | 5
                    Crawl-delay: -5         | -1
                    Crawl-delay: 5s         | -1
                    Crawl-delay: NaN        | -1
                    Crawl-delay: 1e3        | -1
                    Crawl-delay:            | -1
                    Crawl-delay: 999999999999999999 | 3600
                    Request-rate: 1/10      | 10
                    Request-rate: 2/1m      | 30
                    Request-rate: 1/5s 0800-1800 | 5
                    Request-rate: 0/5       | -1
                    """)
    void a_delay_is_a_plain_number_of_seconds(String line, double seconds) {
        Robots robots = robots("User-agent: *", line.strip(), "Disallow: /a");
        assertThat(robots.crawlDelay().map(delay -> delay.toNanos() / 1e9).orElse(-1.0))
                .isEqualTo(seconds);
        assertThat(robots.check("/a").allowed()).isFalse();
    }

    @SeededTest(seeds = 200)
    void patterns_match_as_the_regular_expression_of_the_same_meaning(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            String pattern = "/" + text(random, "ab*", 8) + (random.nextInt(3) == 0 ? "$" : "");
            String path = "/" + text(random, "ab", 10);
            String regex = pattern.replace("*", ".*").replaceAll("\\$$", "\\\\z");
            boolean covered = Pattern.compile(regex).matcher(path).lookingAt();
            assertThat(allows(pattern, path)).as("%s on %s", pattern, path).isEqualTo(!covered);
        }
    }

    private static String text(SplittableRandom random, String alphabet, int most) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(most); n > 0; n--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    // ---- the book

    private static RobotsSource.Reply reply(int status, String location, String body) {
        return new RobotsSource.Reply(
                status,
                FieldValues.of(location.isEmpty() ? List.of() : List.of(Map.entry("Location", location))),
                body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"5, false", "6, true"})
    void five_redirects_are_followed_and_a_sixth_is_not(int redirects, boolean allowed) {
        RobotsBook book = new RobotsBook(
                url -> {
                    String path = url.pathAndQuery();
                    int at = path.equals("/robots.txt") ? 0 : Integer.parseInt(path.substring(1));
                    return CompletableFuture.completedStage(
                            at < redirects
                                    ? reply(302, "/" + (at + 1), "")
                                    : reply(200, "", "User-agent: *\nDisallow: /"));
                },
                "example-bot",
                false,
                new VirtualTime());
        RobotsState state = book.of(TargetUrl.parse("https://www.example.com/a"))
                .toCompletableFuture()
                .join();
        assertThat(state.check("/a").allowed()).isEqualTo(allowed);
    }

    @Test
    void all_who_ask_at_once_share_one_fetch() {
        List<CompletableFuture<RobotsSource.Reply>> asked = new ArrayList<>();
        RobotsBook book = new RobotsBook(
                url -> {
                    CompletableFuture<RobotsSource.Reply> answer = new CompletableFuture<>();
                    asked.add(answer);
                    return answer;
                },
                "example-bot",
                false,
                new VirtualTime());
        TargetUrl url = TargetUrl.parse("https://www.example.com/a");
        var first = book.of(url).toCompletableFuture();
        var second = book.of(url).toCompletableFuture();
        assertThat(asked).hasSize(1);
        asked.get(0).complete(reply(200, "", "User-agent: *\nDisallow: /a"));
        assertThat(first.join().check("/a").allowed()).isFalse();
        assertThat(second.join().check("/b").allowed()).isTrue();
    }

    @Test
    void rules_that_were_read_hold_on_for_a_day_while_the_site_fails() {
        VirtualTime time = new VirtualTime();
        boolean[] up = {true};
        RobotsBook book = new RobotsBook(
                url -> CompletableFuture.completedStage(
                        up[0] ? reply(200, "", "User-agent: *\nDisallow: /a") : reply(500, "", "")),
                "example-bot",
                false,
                time);
        TargetUrl url = TargetUrl.parse("https://www.example.com/b");
        book.of(url);
        up[0] = false;
        time.advance(Duration.ofHours(25));
        assertThat(book.of(url).toCompletableFuture().join().check("/b").allowed())
                .isTrue();
        for (int hour = 0; hour < 24; hour++) {
            time.advance(Duration.ofHours(1));
            book.of(url);
        }
        assertThat(book.of(url).toCompletableFuture().join().check("/b").allowed())
                .isFalse();
        assertThat(book.of(url)
                        .toCompletableFuture()
                        .join()
                        .check("/robots.txt")
                        .allowed())
                .isTrue();
    }
}
