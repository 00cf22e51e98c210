package io.paceline.sim.pace;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.Request;
import io.paceline.pace.HostPattern;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.sim.Dice;
import io.paceline.sim.EventQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One run: a site with a hidden limit, and a crawl that never lacks work. Answers take 200 ms, log-normal; a refusal names
 * no time, which is the harder case.
 */
final class World {
    private static final double LATENCY_SECONDS = 0.2;
    private static final double LATENCY_SIGMA = 0.3;
    private static final String SITE = "https://site.test/";
    /** Wide enough to say nothing. */
    private static final LimitSpec.Pace BOUNDS = new LimitSpec.Pace(0.02, 1_000);

    private final Scenario scenario;
    private final Contestant contestant;
    private final long seed;
    private final Dice latencies;
    private final EventQueue events = new EventQueue(Gates.START);
    private final HiddenLimit limit;
    private final Tally tally;

    World(Scenario scenario, Contestant contestant, long seed) {
        this.scenario = scenario;
        this.contestant = contestant;
        this.seed = seed;
        this.latencies = Dice.of(seed).stream("latency");
        this.limit = new HiddenLimit(scenario);
        this.tally = new Tally(scenario);
    }

    RunResult run() {
        if (contestant == Contestant.PACELINE) {
            crawl(gate());
        } else {
            send(contestant.pacer(scenario));
        }
        events.runUntil(Gates.START + scenario.endMicros());
        return tally.result();
    }

    private long elapsed() {
        return events.nowMicros() - Gates.START;
    }

    private long latencyMicros() {
        return (long) (latencies.logNormal(LATENCY_SECONDS, LATENCY_SIGMA) * 1e6);
    }

    /** Asks the site half of the latency later. */
    private void ask(long latencyMicros, Answer answer) {
        events.in(latencyMicros / 2, () -> {
            boolean served = limit.serves(elapsed());
            tally.count(elapsed(), served);
            events.in(latencyMicros - latencyMicros / 2, () -> answer.came(served));
        });
    }

    private interface Answer {
        void came(boolean served);
    }

    // ---- rivals

    private void send(Pacer pacer) {
        long latency = latencyMicros();
        ask(latency, served -> pacer.answered(served, latency, elapsed()));
        events.in(pacer.intervalMicros(elapsed()), () -> send(pacer));
    }

    // ---- the gatekeeper

    private EmbeddedGatekeeper gate() {
        Rule open = Rule.builder(HostPattern.parse("*"))
                .name("open")
                .limit(1_000_000)
                .window(Duration.ofSeconds(1))
                .onLimit(OnLimit.WAIT)
                .maxWait(Duration.ofHours(1))
                .build();
        TargetSettings site =
                new TargetSettings(HostPattern.parse("site.test"), "site", null, null, null, null, BOUNDS, null);
        return Gates.start(events, 10, TargetBook.of(List.of(site)), open, seed);
    }

    /** As many as the limit at its widest keeps busy, doubled: somebody always waits. */
    private int callers() {
        double widest = scenario.perSecond() * Math.max(1, scenario.factor());
        return 3 + (int) Math.ceil(2 * LATENCY_SECONDS * widest);
    }

    private void crawl(EmbeddedGatekeeper gate) {
        for (int i = 0; i < callers(); i++) {
            request(gate);
        }
    }

    private void request(EmbeddedGatekeeper gate) {
        gate.acquire(Request.to(SITE)).thenAccept(decision -> {
            if (decision instanceof Decision.Granted granted) {
                fetch(gate, granted.lease());
            } else {
                long wait = decision instanceof Decision.Refused refused ? refused.waitMicros() : 0;
                events.in(Math.max(1_000_000, wait), () -> request(gate));
            }
        });
    }

    private void fetch(EmbeddedGatekeeper gate, Lease lease) {
        long latency = latencyMicros();
        ask(latency, served -> {
            Kind kind = served ? Kind.SUCCESS : Kind.RATE_LIMITED;
            gate.settle(Objects.requireNonNull(lease.id()), new Outcome(kind, latency, served ? 200 : 429, -1, false));
            request(gate);
        });
    }
}
