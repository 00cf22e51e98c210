package io.paceline.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.Endpoint;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Target;
import io.paceline.Transition;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.service.proxy.ProxyMetrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateMetricsTest {

    private final Metrics metrics = new Metrics();
    private final GateListener listener =
            Listeners.of(new GateMetrics(metrics.registry(), List.of("shop"), Map.of("a17", "datacenter")::get));

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void what_happened_is_in_the_series_of_the_contract() {
        Request request = Request.to("https://shop.example/");
        listener.decided(request, "default", new Decision.Refused(Reason.RATE_LIMITED, 5, "fast", "No."), 0, 100);
        listener.decided(request, "default", new Decision.Reserved("t", 2_000_000, 9, "fast"), 0, 0);
        listener.settled("default", "a17", "shop", new Outcome(Outcome.Kind.SUCCESS, 180_000, 200, 7, false), true);
        listener.settled("default", "a18", "shop.example", Outcome.of(Outcome.Kind.CAPTCHA), true);
        Standing healthy = Standing.fresh(0, 0);
        Standing out = new Standing(State.QUARANTINED, 1, 0, 9, 9, 1, 0, 0);
        Standing halfOpen = new Standing(State.PROBING, 1, 9, 0, 9, 1, 0, 0);
        listener.transition(new Transition("default", "a17", null, healthy, out, "failures", "5 in a row"));
        listener.transition(new Transition("default", "a17", null, out, halfOpen, "wait_over", "its wait is over"));
        Standing frozen = out.under(Hold.NONE.withFrozen(true));
        Standing dead = new Standing(State.DEAD, 2, 9, 99, 9, 6, 0, 0);
        listener.transition(new Transition("default", "a17", null, out, frozen, "freeze", "freeze ordered"));
        listener.transition(new Transition("default", "a17", null, halfOpen, dead, "dead", "failed again"));
        listener.decided(request, "default", new Decision.Granted(List.of(panic())), 0, 100);
        listener.expired("default", "a17");
        Verdict verdict = new Verdict(Guilty.OWN_SIDE, 0, 5, 6, false, 0.02, 0, 0, 5, 14.2, 9.2);
        listener.verdict("default", Guilty.OWN_SIDE, "default", verdict);
        listener.verdict("default", Guilty.OWN_SIDE, "default", null);
        listener.transition(new Transition("default", "a17", "shop", healthy, out, "failures", "5 in a row"));
        listener.dryRunRefusal("trial");
        listener.nearLimit("example", "example.com");
        listener.storeError("admit", new IllegalStateException("away"));
        ProxyCounters proxy = new ProxyCounters(metrics.registry());
        proxy.request(ProxyMetrics.Kind.CONNECT, "ok");
        proxy.tunnelOpened();

        assertThat(metrics.scrape().lines())
                .contains(
                        "paceline_acquire_total{pool=\"default\",result=\"rate_limited\"} 1.0",
                        "paceline_acquire_total{pool=\"default\",result=\"reserved\"} 1.0",
                        "paceline_rule_refusals_total{rule=\"fast\"} 1.0",
                        "paceline_acquire_seconds_count 3",
                        "paceline_wait_seconds_sum 2.0",
                        "paceline_outcomes_total{outcome=\"success\",pool=\"default\",target=\"shop\"} 1.0",
                        "paceline_outcomes_total{outcome=\"captcha\",pool=\"default\",target=\"shop.example\"} 1.0",
                        "paceline_request_seconds_count{kind=\"datacenter\",pool=\"default\"} 1",
                        "paceline_quarantine_entries_total{cause=\"failures\",pool=\"default\"} 2.0",
                        "paceline_blame_total{verdict=\"own_side\"} 1.0",
                        "paceline_blame_total{verdict=\"address\"} 2.0",
                        "paceline_blame_total{verdict=\"cell\"} 1.0",
                        "paceline_quarantine_entries_total{cause=\"dead\",pool=\"default\"} 1.0",
                        "paceline_panic_leases_total{pool=\"default\"} 1.0",
                        "paceline_leases_expired_total{pool=\"default\"} 1.0",
                        "paceline_rule_dry_run_refusals_total{rule=\"trial\"} 1.0",
                        "paceline_rule_near_limit_total{rule=\"example\"} 1.0",
                        "paceline_store_errors_total{op=\"admit\"} 1.0",
                        "paceline_proxy_requests_total{kind=\"connect\",result=\"ok\"} 1.0",
                        "paceline_proxy_tunnels 1.0")
                .noneMatch(line -> line.contains("cause=\"freeze\""))
                .anyMatch(line -> line.startsWith("paceline_build_info{"))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"));
    }

    private static Lease panic() {
        Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100.7", 8080, null);
        Address address = new Address("a17", endpoint, Map.of(), 1, false);
        return new Lease(null, address, Target.of("shop"), "default", null, 0, 9, false, true, false);
    }

    @Test
    void gauges_show_the_moment_of_the_scrape_and_every_state_has_its_series() {
        Status.AddressStatus address =
                new Status.AddressStatus("a17", "direct", Map.of(), 1, "quarantined", 0, 2, 0, -1, 0, 0, 0, "", 0, 0);
        metrics.watch(new StatusSource() {
            @Override
            public CompletionStage<Status> status() {
                return CompletableFuture.completedFuture(
                        new Status(List.of(new Status.Pool("default", "weighted", 2, 0, 0.5, List.of(address)))));
            }

            @Override
            public Map<String, Integer> waitingByRule() {
                return Map.of("example", 3);
            }
        });

        assertThat(metrics.scrape().lines())
                .contains(
                        "paceline_addresses{pool=\"default\",state=\"quarantined\"} 1.0",
                        "paceline_addresses{pool=\"default\",state=\"healthy\"} 0.0",
                        "paceline_waiting{rule=\"example\"} 3.0",
                        "paceline_leases_active{pool=\"default\"} 2.0",
                        "paceline_quarantine_cap_used_ratio{pool=\"default\"} 0.5");
    }
}
