package io.paceline.service.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Endpoint;
import io.paceline.service.config.Secret;
import io.paceline.service.config.SupplyConfig;
import io.paceline.service.lists.ProxyEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a provider is asked, for how many, and never for more than the budget; time is the test's. */
class SupplyHookTest {

    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long DAY = 24 * 60 * MINUTE;

    private final FakeWeb web = new FakeWeb();
    private final MemoryVault vault = new MemoryVault();
    private final Heard heard = new Heard();
    private final Set<Endpoint> pool = new LinkedHashSet<>();
    private SupplyHook hook = hook();
    private long now = 1_800_000_000 * SECOND;
    private int dead;
    private int given;

    private SupplyHook hook() {
        try {
            return new SupplyHook(web, vault, Runnable::run, heard, this::take);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int take(String name, List<ProxyEntry> entries) {
        return (int)
                entries.stream().filter(entry -> pool.add(entry.endpoint())).count();
    }

    private static SupplyConfig supply(int below, Duration every, int most, Duration period) {
        return new SupplyConfig(
                "default",
                below,
                new Secret("https://p.example.net/s3cret?n={missing}&p={pool}&b={below}&s={in_service}"),
                "https://p.example.net",
                "/data/*/proxy",
                every,
                most,
                period);
    }

    /** As many as the URL asks for, each of them new. */
    private CompletableFuture<Web.Answer> generous(Web.Ask ask) {
        int wanted = Integer.parseInt(ask.url().value().replaceFirst(".*n=(\\d+).*", "$1"));
        String items = IntStream.range(0, wanted)
                .mapToObj(i -> "{\"proxy\": \"10." + given++ / 250 + "." + given % 250 + ".1:80\"}")
                .collect(Collectors.joining(", "));
        return json("{\"data\": [" + items + "]}");
    }

    private static CompletableFuture<Web.Answer> json(String json) {
        return CompletableFuture.completedFuture(
                new Web.Answer(200, json.getBytes(StandardCharsets.UTF_8), null, null));
    }

    private void tick() {
        hook.tick(now, name -> pool.size() - dead);
    }

    private void after(long micros) {
        now += micros;
        tick();
    }

    @BeforeEach
    void aGenerousProvider() {
        web.answers = this::generous;
        hook.configure(List.of(supply(20, Duration.ofMinutes(5), 100, Duration.ofDays(1))));
    }

    @Test
    void below_the_mark_it_is_asked_for_what_is_missing_and_above_it_never() {
        tick();
        assertThat(web.asks.get(0).url().value()).isEqualTo("https://p.example.net/s3cret?n=20&p=default&b=20&s=0");
        assertThat(pool).hasSize(20);
        assertThat(heard.log).containsExactly("supplied: 0 in service, below 20: asked for 20, 20 new");
        after(DAY);
        assertThat(web.asks).hasSize(1);
        dead = 3;
        tick();
        assertThat(web.asks.get(1).url().value()).contains("n=3&");
        assertThat(pool).hasSize(23);
    }

    @Test
    void however_fast_addresses_die_it_is_asked_no_more_often_than_every() {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 3_600; i++) {
            int before = web.asks.size();
            dead = pool.size();
            after(SECOND);
            if (web.asks.size() > before) {
                times.add(now);
            }
        }
        assertThat(times).hasSize(5); // 5 x 20 are the budget of the day
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(5 * MINUTE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void in_no_day_is_it_asked_for_more_than_the_budget_whatever_happens(long seed) {
        Random random = new Random(seed);
        List<long[]> asked = new ArrayList<>();
        web.answers = ask -> {
            int wanted = Integer.parseInt(ask.url().value().replaceFirst(".*n=(\\d+).*", "$1"));
            asked.add(new long[] {now, wanted});
            return switch (random.nextInt(6)) {
                case 0 -> FakeWeb.down("no answer in time", false);
                case 1 -> FakeWeb.status(500);
                case 2 -> FakeWeb.text("garbage", null);
                default -> generous(ask);
            };
        };
        for (int i = 0; i < 5 * 24 * 12; i++) {
            dead = random.nextInt(pool.size() + 1);
            after(5 * MINUTE + random.nextInt((int) MINUTE));
            if (random.nextInt(20) == 0) {
                hook = hook();
            }
            if (random.nextInt(10) == 0) {
                hook.configure(List.of());
            }
            int below = 10 + random.nextInt(60);
            hook.configure(List.of(supply(below, Duration.ofMinutes(1), 100, Duration.ofDays(1))));
        }
        for (long[] first : asked) {
            long inOneDay = asked.stream()
                    .filter(each -> each[0] >= first[0] && each[0] < first[0] + DAY)
                    .mapToLong(each -> each[1])
                    .sum();
            assertThat(inOneDay).isLessThanOrEqualTo(100);
        }
        assertThat(asked).hasSizeGreaterThan(10);
    }

    @Test
    void what_certainly_bought_nothing_costs_nothing() {
        web.answers = ask -> FakeWeb.down("no connection", true);
        tick();
        assertThat(hook.states(now).get(0).budgetLeft()).isEqualTo(100);
        web.answers = ask -> FakeWeb.status(402);
        after(60 * MINUTE);
        assertThat(hook.states(now).get(0).budgetLeft()).isEqualTo(100);
        web.answers = ask -> FakeWeb.down("no answer in time", false);
        after(60 * MINUTE);
        assertThat(hook.states(now).get(0).budgetLeft()).isEqualTo(80);
        assertThat(heard.log)
                .containsExactly("failed: no connection", "failed: it answered 402", "failed: no answer in time");
    }

    @Test
    void who_gives_more_than_was_asked_for_is_charged_for_it() {
        web.answers = ask -> json("{\"data\": ["
                + IntStream.range(0, 70)
                        .mapToObj(i -> "{\"proxy\": \"10.0." + i + ".1:80\"}")
                        .collect(Collectors.joining(","))
                + "]}");
        tick();
        assertThat(pool).hasSize(70);
        assertThat(hook.states(now).get(0).budgetLeft()).isEqualTo(30);
    }

    @Test
    void a_provider_that_fails_is_asked_ever_more_seldom_up_to_an_hour() {
        web.answers = ask -> FakeWeb.status(404);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 8 * 60; i++) {
            int before = web.asks.size();
            after(MINUTE);
            if (web.asks.size() > before) {
                times.add(now / MINUTE);
            }
        }
        List<Long> pauses = IntStream.range(1, times.size())
                .mapToObj(i -> times.get(i) - times.get(i - 1))
                .toList();
        assertThat(pauses).startsWith(10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void one_that_gives_only_what_is_known_is_not_asked_again_and_again() {
        web.answers = ask -> json("{\"data\": [{\"proxy\": \"10.0.0.1:80\"}]}");
        tick();
        assertThat(pool).hasSize(1);
        after(5 * MINUTE);
        assertThat(heard.log).endsWith("failed: it gave 1, all of which the pool has already");
        after(5 * MINUTE);
        assertThat(web.asks).hasSize(2);
    }

    @Test
    void a_used_up_budget_is_told_once_and_a_new_day_brings_a_new_one() {
        hook.configure(List.of(supply(150, Duration.ofMinutes(5), 100, Duration.ofDays(1))));
        tick();
        assertThat(pool).hasSize(100);
        for (int i = 0; i < 100; i++) {
            after(5 * MINUTE);
        }
        assertThat(web.asks).hasSize(1);
        assertThat(heard.log).hasSize(2).element(1).asString().contains("the budget of 100 is used up");
        after(DAY);
        assertThat(pool).hasSize(150);
    }

    @Test
    void nothing_is_asked_where_the_expense_cannot_be_written_down() {
        vault.broken = true;
        tick();
        assertThat(web.asks).isEmpty();
        assertThat(heard.log).containsExactly("failed: what it is asked for cannot be written down: the disk is full");
    }

    @Test
    void one_request_at_a_time() {
        CompletableFuture<Web.Answer> late = new CompletableFuture<>();
        web.answers = ask -> late;
        tick();
        after(DAY);
        assertThat(web.asks).hasSize(1);
        late.complete(
                new Web.Answer(200, "{\"data\": {\"proxy\": \"x\"}}".getBytes(StandardCharsets.UTF_8), null, null));
        assertThat(heard.log).containsExactly("failed: its answer has nothing at /data/*/proxy");
    }

    @Test
    void nothing_of_the_urls_secret_is_told() {
        tick();
        assertThat(heard.log.toString() + hook.states(now) + web.asks).doesNotContain("s3cret");
    }

    // ---- answers

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "/data/*/proxy|{\"data\": [{\"proxy\": \"198.51.100.1:80\"}, {\"proxy\": \"http://u:p@198.51.100.2:81\"}]}|198.51.100.1:80 198.51.100.2:81",
                "/data/*|{\"data\": [\"198.51.100.1:80\", {\"host\": \"198.51.100.2\", \"port\": 81, \"username\": \"u\", \"password\": \"p\"}]}|198.51.100.1:80 198.51.100.2:81",
                "/proxies|{\"proxies\": [\"198.51.100.1:80\", \"198.51.100.1:80\"]}|198.51.100.1:80",
                "/0/list/*|[{\"list\": {\"a\": \"198.51.100.1:80\", \"b\": \"198.51.100.2:80\"}}]|198.51.100.1:80 198.51.100.2:80",
                "/a~1b/c~0d|{\"a/b\": {\"c~d\": \"198.51.100.1:80\"}}|198.51.100.1:80",
                "/text|{\"text\": \"198.51.100.1:80\\n198.51.100.2:80\\nrubbish\"}|198.51.100.1:80 198.51.100.2:80",
            })
    void addresses_are_found_where_the_pointer_leads(String pointer, String body, String found) throws IOException {
        assertThat(authorities(body, pointer)).isEqualTo(found);
    }

    @Test
    void without_a_pointer_the_answer_is_a_list() throws IOException {
        assertThat(authorities("198.51.100.1:80\n198.51.100.2:80:u:p\n", null))
                .isEqualTo("198.51.100.1:80 198.51.100.2:80");
    }

    private static String authorities(String body, @Nullable String pointer) throws IOException {
        return Items.read(body.getBytes(StandardCharsets.UTF_8), pointer).stream()
                .map(entry -> entry.endpoint().authority())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "/data/*|no json|its answer is no JSON",
                "/data/*|{\"data\": []}|its answer has nothing at /data/*",
                "/data/*|{\"data\": null}|its answer has nothing at /data/*",
                "/data/*|{\"data\": [17, true]}|none of what it gave is a proxy",
                "/data/*/x|{\"data\": [\"198.51.100.1:80\"]}|its answer has nothing at /data/*/x",
                "/data/*|{\"data\": [\"not a proxy at all\"]}|none of what it gave is a proxy",
            })
    void where_there_is_none_it_is_said_why(String pointer, String body, String why) {
        assertThatThrownBy(() -> Items.read(body.getBytes(StandardCharsets.UTF_8), pointer))
                .hasMessage(why);
    }
}
