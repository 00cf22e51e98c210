package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.paceline.demo.history.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A person who bans an address here, and lifts the ban there, all the time. */
final class Operator implements Runnable {
    private static final int BAN_MILLIS = 8_000;
    private static final int PAUSE_MILLIS = 100;

    private final Fleet fleet;
    private final Clock clock;
    private final Recorder recorder;
    private final SplittableRandom random;
    private final BooleanSupplier running;
    private final ObjectMapper json = new ObjectMapper();

    Operator(Fleet fleet, Clock clock, Recorder recorder, SplittableRandom random, BooleanSupplier running) {
        this.fleet = fleet;
        this.clock = clock;
        this.recorder = recorder;
        this.random = random;
        this.running = running;
    }

    @Override
    public void run() {
        try {
            List<String> addresses = List.of();
            while (running.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                if (addresses.isEmpty()) {
                    addresses = addresses();
                } else {
                    banForAWhile(addresses.get(random.nextInt(addresses.size())));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty where nobody says. */
    private List<String> addresses() {
        List<String> ids = new ArrayList<>();
        try {
            json.readTree(fleet.any(random).api().get("/api/addresses?pool=" + Asks.WIDE))
                    .path("addresses")
                    .forEach(address -> ids.add(address.path("id").asText()));
        } catch (IOException e) {
            // Somebody else may say.
        }
        return ids;
    }

    private void banForAWhile(String address) throws InterruptedException {
        order(address, true);
        TimeUnit.MILLISECONDS.sleep(BAN_MILLIS / 4 + random.nextInt(BAN_MILLIS));
        while (running.getAsBoolean() && !order(address, false)) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
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
