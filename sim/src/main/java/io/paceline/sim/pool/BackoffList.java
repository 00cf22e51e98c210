package io.paceline.sim.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A list that bans on any failure, as scrapy-rotating-proxies documents itself: every status but 200, 301 and 302 and every
 * exception marks the address dead; it is tried again after a random time between 0 and min(3600 s, 300 s x 2^bans); a good
 * answer clears its count. Where all are dead, all are tried again. One process, one memory, no targets.
 */
final class BackoffList extends Policy.Plain {
    private static final double BASE_SECONDS = 300;
    private static final double CAP_SECONDS = 3_600;

    private final House house;
    private final Map<Integer, Entry> entries = new LinkedHashMap<>();

    private static final class Entry {
        int bans;
        long deadUntil;
    }

    BackoffList(House house) {
        this.house = house;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        long now = house.now();
        List<Integer> usable = new ArrayList<>(entries.size());
        entries.forEach((address, entry) -> {
            if (entry.deadUntil <= now) {
                usable.add(address);
            }
        });
        if (usable.isEmpty()) {
            entries.values().forEach(entry -> entry.deadUntil = 0);
            usable.addAll(entries.keySet());
        }
        then.accept(new Choice.Use(usable.get(house.draw(usable.size())), this));
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        Entry entry = entries.get(use.address());
        if (entry == null) {
            return;
        }
        if (face.status == 200) {
            entry.bans = 0;
        } else {
            double most = Math.min(CAP_SECONDS, BASE_SECONDS * StrictMath.pow(2, Math.min(entry.bans, 20)));
            entry.bans++;
            if (entry.deadUntil <= house.now()) {
                house.verdicts().addressOut(use.address(), house.now());
            }
            entry.deadUntil = house.now() + Time.micros(house.dice().next() * most);
        }
    }

    @Override
    public void members(List<Integer> addresses) {
        entries.keySet().retainAll(addresses);
        addresses.forEach(address -> entries.computeIfAbsent(address, key -> new Entry()));
    }

    @Override
    public void restart() {
        entries.replaceAll((address, entry) -> new Entry());
    }
}
