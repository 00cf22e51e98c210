package io.paceline.demo.chaos;

import io.paceline.demo.history.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Lets faults befall, one after another, and sees how long it takes until all is as before. */
final class Faults {
    private static final long RECOVERY_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long LOOK_MILLIS = 20;

    /**
     * One that has befallen.
     *
     * @param event its beginning, and when its cause was over
     * @param recoveredMicros when every gatekeeper that ran had the shared store again, and had given a permit since; -1 where
     *     that did not come
     */
    record Past(FaultKind kind, Event.Fault event, long recoveredMicros) {}

    private final Fleet fleet;
    private final RedisFarm redis;
    private final Watcher watcher;
    private final Pulse pulse;
    private final Clock clock;
    private final SplittableRandom random;
    private final List<Past> past = new ArrayList<>();

    Faults(Fleet fleet, RedisFarm redis, Watcher watcher, Pulse pulse, Clock clock, SplittableRandom random) {
        this.fleet = fleet;
        this.redis = redis;
        this.watcher = watcher;
        this.pulse = pulse;
        this.clock = clock;
        this.random = random;
    }

    List<Past> past() {
        return List.copyOf(past);
    }

    Past befall(FaultKind.Planned planned) throws IOException, InterruptedException {
        long began = clock.micros();
        String victim = cause(planned.kind(), planned.seconds());
        Event.Fault event = new Event.Fault(
                began,
                planned.kind() == FaultKind.FAILOVER ? began : clock.micros(),
                victim,
                planned.kind().word());
        Past fault = new Past(planned.kind(), event, recovered(clock.micros()));
        past.add(fault);
        return fault;
    }

    /** Returns when the cause is over: who it befell, or nobody. */
    private String cause(FaultKind kind, int seconds) throws IOException, InterruptedException {
        return switch (kind) {
            case KILL -> {
                Gatekeeper victim = fleet.any(random);
                fleet.kill(victim);
                watcher.gone(victim.name());
                TimeUnit.SECONDS.sleep(seconds);
                fleet.restart(victim);
                yield victim.name();
            }
            case FREEZE -> {
                Gatekeeper victim = fleet.any(random);
                Children.signal(victim.process(), "STOP");
                TimeUnit.SECONDS.sleep(seconds);
                Children.signal(victim.process(), "CONT");
                yield victim.name();
            }
            case CUT_OFF -> {
                Gatekeeper victim = fleet.any(random);
                redis.cutOff(victim.place(), true);
                TimeUnit.SECONDS.sleep(seconds);
                redis.cutOff(victim.place(), false);
                yield victim.name();
            }
            default -> {
                ofRedis(kind, seconds);
                yield "";
            }
        };
    }

    private void ofRedis(FaultKind kind, int seconds) throws IOException, InterruptedException {
        switch (kind) {
            case REDIS_RESTART, REDIS_STOP -> {
                redis.kill();
                TimeUnit.SECONDS.sleep(seconds);
                redis.begin();
            }
            case REDIS_PAUSE -> {
                redis.pause(true);
                TimeUnit.SECONDS.sleep(seconds);
                redis.pause(false);
            }
            case SLOW, TOO_SLOW -> {
                redis.delay(kind == FaultKind.SLOW ? 15 : 75); // each way
                TimeUnit.SECONDS.sleep(seconds);
                redis.delay(0);
            }
            case DROP -> redis.drop("normal");
            case DROP_PUBSUB -> redis.drop("pubsub");
            case FAILOVER -> {
                RedisServer before = redis.master();
                before.kill();
                redis.rejoin(before);
            }
            case SLOT -> redis.moveSlot();
            default -> throw new IllegalArgumentException(kind + " befalls no Redis");
        }
    }

    private long recovered(long calm) throws InterruptedException {
        while (clock.micros() < calm + RECOVERY_MICROS) {
            if (fleet.alive().stream()
                    .allMatch(gatekeeper -> watcher.sharedSince(gatekeeper.name(), calm)
                            && pulse.permitSince(gatekeeper.name(), calm))) {
                return clock.micros();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return -1;
    }
}
