package io.paceline.service.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.service.config.Secret;
import io.paceline.service.config.UrlList;
import io.paceline.service.lists.ProxyEntry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists over time: fetched, unchanged, down, garbage; time is the test's. */
class UrlListsTest {

    private static final String URL = "https://lists.example.net/mine?key=s3cret";
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;

    private final FakeWeb web = new FakeWeb();
    private final MemoryVault vault = new MemoryVault();
    private final Heard heard = new Heard();
    private UrlLists lists = lists();
    private long now = 1_800_000_000 * SECOND;

    private UrlLists lists() {
        return new UrlLists(web, vault, url -> "list-" + url.length(), new Random(7), Runnable::run, heard);
    }

    private static UrlList list(String pool, String url, Duration refresh) {
        return new UrlList(pool, new Secret(url), "https://lists.example.net", refresh, Map.of(), 1, false);
    }

    private final UrlList mine = list("default", URL, Duration.ofMinutes(10));

    private List<String> entries() {
        return lists.entries(mine).stream()
                .map(ProxyEntry::endpoint)
                .map(endpoint -> endpoint.authority())
                .toList();
    }

    private void after(long micros) {
        now += micros;
        lists.tick(now);
    }

    private void begin() {
        lists.configure(List.of(mine), now);
        lists.tick(now);
    }

    @Test
    void it_is_fetched_at_once_and_then_when_its_time_has_come_give_or_take_a_tenth() {
        web.answers = ask -> FakeWeb.text("198.51.100.1:80\n198.51.100.2:80\n", null);
        begin();
        assertThat(entries()).containsExactly("198.51.100.1:80", "198.51.100.2:80");
        assertThat(heard.log).containsExactly("fetched 2", "changed: list https://lists.example.net");
        after(9 * MINUTE - 1);
        assertThat(web.asks).hasSize(1);
        after(2 * MINUTE + 1);
        assertThat(web.asks).hasSize(2);
        assertThat(heard.log).as("no other addresses").hasSize(3).endsWith("fetched 2");
    }

    @Test
    void an_unchanged_list_costs_an_answer_without_a_body() {
        web.answers = ask -> ask.etag() == null ? FakeWeb.text("198.51.100.1:80", "\"v1\"") : FakeWeb.status(304);
        begin();
        after(11 * MINUTE);
        assertThat(web.asks).extracting(Web.Ask::etag).containsExactly(null, "\"v1\"");
        assertThat(entries()).hasSize(1);
        assertThat(lists.states().get(0).fetchedMicros()).isEqualTo(now);
        assertThat(lists.states().get(0).fault()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n\n# nothing\n", "<html>Sign in</html>", "[]", "{\"error\": \"quota\"}", "\u0000\u0001"})
    void an_answer_without_a_usable_line_never_empties_the_list(String garbage) {
        web.answers = ask -> FakeWeb.text("198.51.100.1:80", "\"v1\"");
        begin();
        web.answers = ask -> FakeWeb.text(garbage, "\"v2\"");
        after(11 * MINUTE);
        assertThat(entries()).containsExactly("198.51.100.1:80");
        assertThat(heard.log.get(heard.log.size() - 1)).startsWith("failed: it has no usable line");
        assertThat(new String(vault.files.values().iterator().next(), StandardCharsets.UTF_8))
                .contains("198.51.100.1:80");
        web.answers = ask -> FakeWeb.text("198.51.100.3:80", null);
        after(2 * MINUTE);
        assertThat(web.asks.get(web.asks.size() - 1).etag())
                .as("the version that is good")
                .isEqualTo("\"v1\"");
        assertThat(entries()).containsExactly("198.51.100.3:80");
    }

    @Test
    void while_it_is_down_it_is_asked_ever_more_seldom_and_told_of_once() {
        web.answers = ask -> FakeWeb.text("198.51.100.1:80", null);
        begin();
        web.answers = ask -> FakeWeb.down("no connection", true);
        List<Long> times = new ArrayList<>();
        long until = now + 3 * 60 * MINUTE;
        while (now < until) {
            int before = web.asks.size();
            after(SECOND);
            if (web.asks.size() > before) {
                times.add(now);
            }
        }
        for (int i = 1; i < times.size(); i++) {
            long expected = Math.min(10 * MINUTE, (10 * SECOND) << (i - 1));
            assertThat(times.get(i) - times.get(i - 1))
                    .isBetween((long) (0.9 * expected), (long) (1.1 * expected) + SECOND);
        }
        assertThat(times).hasSizeBetween(15, 30);
        assertThat(heard.log.stream().filter("failed: no connection"::equals)).hasSize(1);
        assertThat(entries()).hasSize(1);
        web.answers = ask -> FakeWeb.status(503);
        after(12 * MINUTE);
        assertThat(heard.log).endsWith("failed: it answered 503");
    }

    @Test
    void the_copy_of_an_earlier_run_serves_where_the_list_is_down() {
        web.answers = ask -> FakeWeb.text("198.51.100.1:80:user:hunter2\n", "\"v1\"");
        begin();
        long fetched = now;

        now += 60 * MINUTE;
        web.answers = ask -> FakeWeb.down("no such host", true);
        lists = lists();
        begin();
        assertThat(entries()).containsExactly("198.51.100.1:80");
        assertThat(lists.states().get(0).fetchedMicros()).isEqualTo(fetched);
        assertThat(lists.states().get(0).fault()).isEqualTo("no such host");
        assertThat(web.asks.get(1).etag()).isEqualTo("\"v1\"");
    }

    @Test
    void a_damaged_copy_is_as_good_as_none() {
        vault.files.put("list-" + URL.length(), "rubbish".getBytes(StandardCharsets.UTF_8));
        web.answers = ask -> FakeWeb.text("198.51.100.1:80", null);
        begin();
        assertThat(entries()).hasSize(1);
    }

    @Test
    void lists_that_stay_keep_what_they_have_and_one_url_is_asked_once_for_all_pools() {
        web.answers = ask -> FakeWeb.text("198.51.100.1:80", null);
        begin();
        UrlList spare = list("spare", URL, Duration.ofMinutes(1));
        lists.configure(List.of(mine, spare), now);
        lists.tick(now);
        assertThat(web.asks).hasSize(1);
        assertThat(lists.entries(spare)).isEqualTo(lists.entries(mine));
        after(70 * SECOND);
        assertThat(web.asks).as("at the faster of the two").hasSize(2);

        lists.configure(List.of(), now);
        assertThat(entries()).isEmpty();
        after(60 * MINUTE);
        assertThat(web.asks).hasSize(2);
    }

    @Test
    void an_answer_that_comes_after_the_list_was_taken_away_is_nobodys() {
        CompletableFuture<Web.Answer> late = new CompletableFuture<>();
        web.answers = ask -> late;
        begin();
        after(60 * MINUTE);
        assertThat(web.asks).as("one at a time").hasSize(1);
        lists.configure(List.of(), now);
        late.complete(new Web.Answer(200, "198.51.100.1:80".getBytes(StandardCharsets.UTF_8), null, null));
        assertThat(heard.log).isEmpty();
        assertThat(vault.files).isEmpty();
    }

    @Test
    void nothing_of_the_urls_secret_is_told_or_in_a_name() {
        web.answers = ask -> FakeWeb.down("no connection", true);
        begin();
        assertThat(heard.log.toString() + lists.states() + mine + web.asks).doesNotContain("s3cret");
    }
}
