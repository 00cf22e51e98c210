package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.demo.history.Event;
import io.paceline.demo.history.Event.Ask;
import io.paceline.demo.history.Event.End;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One crawler: asks a gatekeeper for a permit, holds it for a while, releases it there or elsewhere; writes down what it is told.
 * Some leases are held for long and renewed, some are left to expire, some are released twice, some are given back unused.
 */
final class Caller implements Runnable {
    private static final int MILLI = 1_000;
    /** Of a hundred holds: brief, long, and longer than a lease lasts. */
    private static final int BRIEF = 94;

    private static final int LONG = 99;
    private static final int ABANDONED = 1;
    private static final int CANCELED = 4;
    private static final int AGAIN = 4;
    private static final int FAITHFUL = 90;
    private static final long RENEW_MICROS = Asks.LEASE_MICROS / 3;

    private final Fleet fleet;
    private final Clock clock;
    private final Recorder recorder;
    private final Pulse pulse;
    private final SplittableRandom random;
    private final long afterMillis;
    private final BooleanSupplier running;
    private @Nullable Gatekeeper home;

    Caller(
            Fleet fleet,
            Clock clock,
            Recorder recorder,
            Pulse pulse,
            SplittableRandom random,
            long afterMillis,
            BooleanSupplier running) {
        this.fleet = fleet;
        this.clock = clock;
        this.recorder = recorder;
        this.pulse = pulse;
        this.random = random;
        this.afterMillis = afterMillis;
        this.running = running;
    }

    @Override
    public void run() {
        try {
            TimeUnit.MILLISECONDS.sleep(afterMillis);
            while (running.getAsBoolean()) {
                Event.Permit permit = acquire(Asks.draw(random));
                if (permit != null) {
                    use(permit);
                }
                pause(40 * MILLI + random.nextInt(100 * MILLI));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pause(long micros) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(micros);
    }

    /**
     * Mostly the same: connections that are kept stay with one process, whatever balances them. Alone, an instance whose lease
     * is released elsewhere does not know, and keeps the place until the lease ends.
     */
    private Gatekeeper gatekeeper() {
        if (random.nextInt(100) >= FAITHFUL) {
            return fleet.any(random);
        }
        if (home == null || !fleet.alive().contains(home)) {
            home = fleet.any(random);
        }
        return home;
    }

    // ---- a permit

    private Event.@Nullable Permit acquire(Ask ask) {
        Gatekeeper gatekeeper = gatekeeper();
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("target", "http://" + ask.target() + "/")
                .put("pool", ask.pool())
                .put("session", ask.session());
        if (!ask.target().equals(Asks.HELD_TARGET)) {
            body.put("max_wait_ms", 0);
        }
        if (ask.session() == null) {
            body.remove("session");
        }
        long called = clock.micros();
        try {
            JsonNode answer = gatekeeper.api().post("/acquire", body);
            long answered = clock.micros();
            if (!answer.path("allowed").asBoolean()) {
                String reason =
                        answer.path("reason").asText(answer.at("/error/code").asText("unreadable"));
                recorder.write(new Event.Refusal(called, answered, gatekeeper.name(), ask, reason));
                return null;
            }
            Event.Permit permit = new Event.Permit(
                    called,
                    answered,
                    gatekeeper.name(),
                    ask,
                    answer.path("lease").asText(),
                    answer.path("address").asText(),
                    micros(answer.path("expires_in")),
                    answer.path("session_migrated").asBoolean());
            recorder.write(permit);
            pulse.permit(gatekeeper.name(), called);
            return permit;
        } catch (IOException e) {
            recorder.write(new Event.Silence(called, clock.micros(), gatekeeper.name(), ask));
            return null;
        }
    }

    private static long micros(JsonNode seconds) {
        return Math.round(seconds.asDouble() * 1_000_000);
    }

    // ---- its use

    private void use(Event.Permit permit) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < BRIEF) {
            pause(5 * MILLI + random.nextInt(35 * MILLI));
        } else if (dice < LONG) {
            pause(200 * MILLI + random.nextInt(1_300 * MILLI));
        } else {
            holdOn(permit);
        }
        if (random.nextInt(100) < ABANDONED) {
            return;
        }
        boolean canceled = random.nextInt(100) < CANCELED;
        End end = release(permit.lease(), canceled);
        if (end == End.SILENCE || random.nextInt(100) < AGAIN) {
            pause(random.nextInt(300 * MILLI));
            release(permit.lease(), canceled);
        }
    }

    /** Longer than a lease lasts: it is renewed. */
    private void holdOn(Event.Permit permit) throws InterruptedException {
        long until = clock.micros() + Asks.LEASE_MICROS + random.nextInt(2_000 * MILLI);
        while (clock.micros() + RENEW_MICROS < until && running.getAsBoolean()) {
            pause(RENEW_MICROS);
            renew(permit.lease());
        }
    }

    private void renew(String lease) {
        Gatekeeper gatekeeper = gatekeeper();
        long called = clock.micros();
        long life = 0;
        try {
            JsonNode answer = gatekeeper
                    .api()
                    .post("/renew", JsonNodeFactory.instance.objectNode().put("lease", lease));
            life = answer.path("renewed").asBoolean() ? micros(answer.path("expires_in")) : 0;
        } catch (IOException e) {
            // Nobody knows: it may have been renewed.
        }
        recorder.write(new Event.Renewal(called, clock.micros(), gatekeeper.name(), lease, life));
    }

    private End release(String lease, boolean canceled) {
        Gatekeeper gatekeeper = gatekeeper();
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("lease", lease)
                .put("outcome", canceled ? "canceled" : "success");
        if (!canceled) {
            body.put("latency_ms", 20 + random.nextInt(30));
        }
        long called = clock.micros();
        End end = End.SILENCE;
        try {
            JsonNode answer = gatekeeper.api().post("/release", body);
            end = answer.path("released").asBoolean()
                    ? End.RELEASED
                    : End.valueOf(answer.path("reason").asText("unknown").toUpperCase(Locale.ROOT));
        } catch (IOException e) {
            // No answer.
        }
        recorder.write(new Event.Release(called, clock.micros(), gatekeeper.name(), lease, canceled, end));
        return end;
    }
}
