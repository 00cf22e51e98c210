package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.demo.history.Event.Look;
import io.paceline.demo.history.Event.Mode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Looks at {@code /readyz} of every gatekeeper ten times a second, from before its first caller until it is gone. */
final class Watcher {
    private static final long EVERY_MILLIS = 100;

    private final Clock clock;
    private final Recorder recorder;
    private final BooleanSupplier running;
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, Look> last = new ConcurrentHashMap<>();

    Watcher(Clock clock, Recorder recorder, BooleanSupplier running) {
        this.clock = clock;
        this.recorder = recorder;
        this.running = running;
    }

    /** Returns when it has been looked at once. */
    void watch(Gatekeeper gatekeeper) {
        look(gatekeeper);
        Thread thread = new Thread(() -> follow(gatekeeper), "watch-" + gatekeeper.name());
        thread.setDaemon(true);
        thread.start();
    }

    private void follow(Gatekeeper gatekeeper) {
        try {
            while (running.getAsBoolean() && gatekeeper.process().isAlive()) {
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                look(gatekeeper);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Gatekeeper gatekeeper) {
        long called = clock.micros();
        Mode mode;
        try {
            String status = json.readTree(gatekeeper.api().get("/readyz"))
                    .path("status")
                    .asText();
            mode = status.equals("ready") ? Mode.SHARED : Mode.APART;
        } catch (IOException e) {
            mode = gatekeeper.process().isAlive() ? Mode.UNKNOWN : Mode.GONE;
        }
        saw(new Look(called, clock.micros(), gatekeeper.name(), mode));
    }

    /** The process has ended. */
    void gone(String instance) {
        long now = clock.micros();
        saw(new Look(now, now, instance, Mode.GONE));
    }

    private void saw(Look look) {
        recorder.write(look);
        last.put(look.instance(), look);
    }

    /** It has said since then that the shared store decides. */
    boolean sharedSince(String instance, long micros) {
        Look look = last.get(instance);
        return look != null && look.mode() == Mode.SHARED && look.calledMicros() >= micros;
    }
}
