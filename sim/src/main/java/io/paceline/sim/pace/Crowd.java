package io.paceline.sim.pace;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.Request;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.TargetBook;
import io.paceline.sim.EventQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A thousand callers who want one permit each of the same target at the same moment, ten a second: how often must they ask? */
final class Crowd {
    static final int CALLERS = 1_000;
    private static final long LATENCY_MICROS = 200_000;
    /** Ten times what is needed. */
    private static final long END_MICROS = 1_000_000_000;

    private final EventQueue events = new EventQueue(Gates.START);
    private final EmbeddedGatekeeper gate;
    private long calls;
    private long permits;
    private long lastMicros = Gates.START;

    private Crowd(OnLimit onLimit, long seed) {
        Rule.Builder rule = Rule.builder(HostPattern.parse("*"))
                .name("ten-a-second")
                .limit(10)
                .window(Duration.ofSeconds(1))
                .burst(1)
                .onLimit(onLimit);
        if (onLimit == OnLimit.WAIT) {
            rule.maxWait(Duration.ofHours(1));
        }
        gate = Gates.start(events, 1, TargetBook.of(List.of()), rule.build(), seed);
    }

    /** Calls wait until their turn has come, or are refused and come back when they were told to. */
    static CrowdReport run(OnLimit onLimit, long seed) {
        Crowd crowd = new Crowd(onLimit, seed);
        for (int i = 0; i < CALLERS; i++) {
            crowd.ask();
        }
        crowd.events.runUntil(Gates.START + END_MICROS);
        return new CrowdReport(
                onLimit == OnLimit.WAIT ? "wait" : "hints",
                CALLERS,
                crowd.permits,
                (double) crowd.calls / Math.max(1, crowd.permits),
                (crowd.lastMicros - Gates.START) / 1e6);
    }

    private void ask() {
        calls++;
        gate.acquire(Request.to("https://site.test/")).thenAccept(decision -> {
            if (decision instanceof Decision.Granted granted) {
                permits++;
                lastMicros = events.nowMicros();
                Outcome good = new Outcome(Kind.SUCCESS, LATENCY_MICROS, 200, -1, false);
                events.in(
                        LATENCY_MICROS,
                        () -> gate.settle(Objects.requireNonNull(granted.lease().id()), good));
            } else if (decision instanceof Decision.Refused refused) {
                events.in(Math.max(1_000, refused.waitMicros()), this::ask);
            }
        });
    }
}
