package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.PageFetcher.Page;
import io.paceline.Request.Hold;
import io.paceline.pace.HostPattern;
import io.paceline.pace.RobotsMode;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import io.paceline.pace.robots.RobotsSource.Reply;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** robots.txt through the gatekeeper's public door, in virtual time. */
class RobotsGateTest {
    private static final String OPEN = "https://shop.example/open";
    private static final String SHUT = "https://shop.example/private/x";

    private final VirtualTime time = new VirtualTime();
    private final Site site = new Site();

    /** What is fetched, and what the next fetch gives. */
    private static final class Site implements PageFetcher {
        private final List<String> fetched = new ArrayList<>();
        private final List<CompletableFuture<Page>> open = new ArrayList<>();
        private boolean slow;
        private int failures;
        private int status = 200;
        private String body = "User-agent: mybot\nDisallow: /private\nCrawl-delay: 4\n";

        @Override
        public boolean supports(Endpoint via) {
            return via.scheme() == Endpoint.Scheme.HTTP;
        }

        @Override
        public CompletionStage<Page> fetch(Endpoint via, TargetUrl url, String agent) {
            fetched.add(agent + " " + url + " by " + via.host());
            if (failures > 0) {
                failures--;
                return CompletableFuture.completedFuture(
                        new Page(Outcome.of(Kind.CONNECT_ERROR), null, "no connection"));
            }
            CompletableFuture<Page> answer = new CompletableFuture<>();
            open.add(answer);
            if (!slow) {
                answer();
            }
            return answer;
        }

        void answer() {
            Reply reply = new Reply(status, FieldValues.NONE, body.getBytes(StandardCharsets.UTF_8));
            open.forEach(answer -> answer.complete(new Page(Outcome.of(Kind.SUCCESS), reply, "")));
            open.clear();
        }
    }

    private EmbeddedGatekeeper gate(RobotsMode mode, Endpoint.Scheme first) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Endpoint.Scheme scheme = i == 0 ? first : Endpoint.Scheme.HTTP;
            Endpoint endpoint = new Endpoint(scheme, "198.51.100." + (i + 1), 8080, null);
            addresses.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        Rule rule = Rule.builder(HostPattern.parse("*"))
                .name("ten-a-second")
                .limit(10)
                .window(Duration.ofSeconds(1))
                .build();
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), addresses)),
                TargetBook.of(
                        List.of(new TargetSettings(HostPattern.parse("*"), null, null, null, mode, null, null, null))),
                RuleBook.of(List.of(rule)));
        CompletableFuture<EmbeddedGatekeeper> started = EmbeddedGatekeeper.builder(
                        new MemoryStore(time), time, time, new SharedRandom(7))
                .robots(site, "mybot", false)
                .start(config)
                .toCompletableFuture();
        time.advance(Duration.ofSeconds(2));
        return started.join();
    }

    private EmbeddedGatekeeper gate() {
        return gate(RobotsMode.OBEY, Endpoint.Scheme.HTTP);
    }

    private static Request request(String url, Hold hold) {
        return Request.to(url).toBuilder().hold(hold).build();
    }

    private static Decision ask(EmbeddedGatekeeper gate, String url) {
        CompletableFuture<Decision> answer =
                gate.acquire(request(url, Hold.NEVER)).toCompletableFuture();
        assertThat(answer).isDone();
        return answer.join();
    }

    private static Refused refused(EmbeddedGatekeeper gate, String url) {
        return (Refused) ask(gate, url);
    }

    @Test
    void what_is_disallowed_is_refused_with_the_line_that_says_so() {
        Refused refused = refused(gate(), SHUT);
        assertThat(refused.reason()).isEqualTo(Reason.ROBOTS_DISALLOWED);
        assertThat(refused.waitMicros()).isNegative();
        assertThat(refused.message())
                .isEqualTo("robots.txt of shop.example:443 disallows it for mybot, line 2: Disallow: /private");
    }

    @Test
    void the_file_is_fetched_once_by_the_sites_own_rules_through_an_address_that_is_free_again() {
        EmbeddedGatekeeper gate = gate();
        refused(gate, SHUT);
        refused(gate, SHUT);
        assertThat(site.fetched).hasSize(1);
        assertThat(site.fetched.get(0)).startsWith("mybot https://shop.example/robots.txt by 198.51.100.");
        assertThat(ask(gate, "https://other.example/"))
                .as("another site has a file of its own")
                .isInstanceOf(Granted.class);
        assertThat(site.fetched).hasSize(2);
    }

    @Test
    void the_crawl_delay_keeps_starts_apart() {
        EmbeddedGatekeeper gate = gate();
        assertThat(ask(gate, OPEN)).isInstanceOf(Granted.class);
        Refused refused = refused(gate, OPEN);
        assertThat(refused.rule()).isEqualTo("crawl-delay");
        assertThat(refused.waitMicros()).isEqualTo(4_000_000);
        time.advance(Duration.ofSeconds(4));
        assertThat(ask(gate, OPEN)).isInstanceOf(Granted.class);
    }

    @Test
    void delay_only_keeps_the_delay_and_leaves_the_choice_of_urls_to_the_caller() {
        EmbeddedGatekeeper gate = gate(RobotsMode.DELAY_ONLY, Endpoint.Scheme.HTTP);
        assertThat(ask(gate, SHUT)).isInstanceOf(Granted.class);
        assertThat(refused(gate, OPEN).rule()).isEqualTo("crawl-delay");
    }

    @Test
    void ignore_fetches_nothing() {
        EmbeddedGatekeeper gate = gate(RobotsMode.IGNORE, Endpoint.Scheme.HTTP);
        assertThat(ask(gate, SHUT)).isInstanceOf(Granted.class);
        assertThat(site.fetched).isEmpty();
    }

    @Test
    void while_the_file_is_read_callers_wait_or_are_told_to_come_back() {
        site.slow = true;
        EmbeddedGatekeeper gate = gate();
        CompletableFuture<Decision> waits =
                gate.acquire(request(OPEN, Hold.ALWAYS)).toCompletableFuture();
        CompletableFuture<Decision> leaves =
                gate.acquire(request(OPEN, Hold.NEVER)).toCompletableFuture();
        time.advance(Duration.ofMillis(10));
        assertThat(leaves)
                .isCompletedWithValueMatching(decision -> decision instanceof Refused refused
                        && refused.reason() == Reason.RATE_LIMITED
                        && Objects.equals(refused.rule(), "robots-txt")
                        && refused.waitMicros() == 1_000_000);
        assertThat(waits).isNotDone();
        site.answer();
        assertThat(waits).isCompletedWithValueMatching(Granted.class::isInstance);
        assertThat(site.fetched).hasSize(1);
    }

    @Test
    void a_site_whose_file_cannot_be_had_is_left_alone_for_a_while() {
        site.status = 503;
        EmbeddedGatekeeper gate = gate();
        Refused refused = refused(gate, OPEN);
        assertThat(refused.reason()).isEqualTo(Reason.ROBOTS_DISALLOWED);
        assertThat(refused.waitMicros()).isEqualTo(60_000_000);
        site.status = 404;
        time.advance(Duration.ofSeconds(61));
        assertThat(ask(gate, OPEN)).isInstanceOf(Granted.class);
    }

    @Test
    void an_address_that_fails_or_cannot_be_used_is_replaced_by_another() {
        site.failures = 1;
        EmbeddedGatekeeper gate = gate(RobotsMode.OBEY, Endpoint.Scheme.SOCKS5);
        assertThat(ask(gate, OPEN)).isInstanceOf(Granted.class);
        assertThat(site.fetched).hasSize(2).doesNotHaveDuplicates();
    }
}
