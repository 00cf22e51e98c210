package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.paceline.demo.history.Event;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A person who bans an address here, and lifts the ban there, all the time. */
final class Operator implements Runnable {
    private static final int BAN_MILLIS = 8_000;

    private final Fleet fleet;
    private final Clock clock;
    private final Recorder recorder;
    private final SplittableRandom random;
    private final BooleanSupplier running;
    private final Addresses addresses;

    /** Where addresses of the ample pool are drawn from. */
    interface Addresses {
        String any(SplittableRandom random) throws IOException;
    }

    Operator(
            Fleet fleet,
            Clock clock,
            Recorder recorder,
            SplittableRandom random,
            BooleanSupplier running,
            Addresses addresses) {
        this.fleet = fleet;
        this.clock = clock;
        this.recorder = recorder;
        this.random = random;
        this.running = running;
        this.addresses = addresses;
    }

    @Override
    public void run() {
        try {
            while (running.getAsBoolean()) {
                String address = addresses.any(random);
                order(address, true);
                TimeUnit.MILLISECONDS.sleep(BAN_MILLIS / 4 + random.nextInt(BAN_MILLIS));
                while (running.getAsBoolean() && !order(address, false)) {
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            }
        } catch (IOException e) {
            // No gatekeeper answers: nothing is banned any more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean order(String address, boolean ban) {
        Gatekeeper gatekeeper = fleet.any(random);
        long called = clock.micros();
        boolean done = false;
        try {
            done = gatekeeper
                    .api()
                    .post(
                            "/api/addresses/" + address + (ban ? "/ban" : "/unban"),
                            JsonNodeFactory.instance.objectNode().put("reason", "chaos"))
                    .has("order");
        } catch (IOException e) {
            // Nobody knows.
        }
        recorder.write(new Event.Order(called, clock.micros(), gatekeeper.name(), address, ban, done));
        return done;
    }
}
