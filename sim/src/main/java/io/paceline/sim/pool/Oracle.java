package io.paceline.sim.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Knows the truth at every instant and can do no better than that: the upper bound that all others are divided by. Takes a
 * random address among those whose own fault is least, fast ones first, and stays out of bans; keeps a session where its
 * address works, and ends it where it does not. Noise and incidents of a site or of our own side it cannot avoid either.
 */
final class Oracle implements Policy {
    /** Nothing to choose between shares that lie so close together. */
    private static final double AS_GOOD_AS_NONE = 0.01;

    private final House house;
    private final Truth truth;
    private final Map<String, Integer> bound = new HashMap<>();
    private List<Integer> addresses = List.of();

    Oracle(House house, Truth truth) {
        this.house = house;
        this.truth = truth;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        Integer kept = ask.session() == null ? null : bound.get(ask.session());
        if (kept != null) {
            boolean works = addresses.contains(kept) && badness(kept, ask.target()) < Truth.WASTED_FROM;
            then.accept(works ? new Choice.Use(kept, this) : new Choice.SessionEnded());
            return;
        }
        int best = best(ask.target());
        if (best < 0) {
            then.accept(new Choice.Refused("no_address"));
            return;
        }
        if (ask.session() != null) {
            bound.put(ask.session(), best);
        }
        then.accept(new Choice.Use(best, this));
    }

    private int best(int target) {
        int start = house.draw(addresses.size());
        int best = -1;
        double least = 1;
        for (int i = 0; i < addresses.size(); i++) {
            int address = addresses.get((start + i) % addresses.size());
            double badness = badness(address, target);
            if (badness <= AS_GOOD_AS_NONE) {
                return address;
            }
            if (badness < least) {
                least = badness;
                best = address;
            }
        }
        return best;
    }

    /** Share of tries that fail by the address's own fault; a little more for a slow one, 1 where a ban would follow. */
    private double badness(int address, int target) {
        long now = house.now();
        if (truth.onTheBrink(address, target, now)) {
            return 1;
        }
        double slow = 0.02 * (truth.slowdown(address, now) - 1);
        return truth.ownShare(address, target, now) + slow;
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        // Knows it already.
    }

    @Override
    public void members(List<Integer> members) {
        addresses = members;
    }

    @Override
    public void restart() {
        // The truth needs no memory; the sessions are kept.
    }

    @Override
    public void endSession(String session) {
        bound.remove(session);
    }
}
