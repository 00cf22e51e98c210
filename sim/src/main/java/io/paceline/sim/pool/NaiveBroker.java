package io.paceline.sim.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The broker of many a tutorial, two keys an address in Redis: {@code lock} for 30 s while it is in use, {@code ban} for
 * 3600 s after any 403, 429 or error. A request takes a random address that has neither. It survives restarts, being in
 * Redis; it knows neither targets nor sessions.
 */
final class NaiveBroker extends Policy.Plain {
    private static final long LOCK_MICROS = 30_000_000;
    private static final long BAN_MICROS = 3_600_000_000L;

    private final House house;
    private final Map<Integer, Long> lockedUntil = new HashMap<>();
    private final Map<Integer, Long> bannedUntil = new HashMap<>();
    private List<Integer> addresses = List.of();

    NaiveBroker(House house) {
        this.house = house;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        long now = house.now();
        List<Integer> free = new ArrayList<>(addresses.size());
        for (int address : addresses) {
            if (lockedUntil.getOrDefault(address, 0L) <= now && bannedUntil.getOrDefault(address, 0L) <= now) {
                free.add(address);
            }
        }
        if (free.isEmpty()) {
            then.accept(new Choice.Refused("no_address"));
            return;
        }
        int address = free.get(house.draw(free.size()));
        lockedUntil.put(address, now + LOCK_MICROS);
        then.accept(new Choice.Use(address, this));
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        lockedUntil.remove(use.address());
        if (face.status != 200) {
            bannedUntil.put(use.address(), house.now() + BAN_MICROS);
            house.verdicts().addressOut(use.address(), house.now());
        }
    }

    @Override
    public void members(List<Integer> members) {
        addresses = members;
    }

    @Override
    public void restart() {
        // Its state is in Redis.
    }
}
