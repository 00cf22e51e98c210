package io.paceline.sim.pool;

import java.util.List;
import java.util.function.Consumer;

/** The script everybody starts with: a random line of the list, nothing learnt. */
final class RandomList extends Policy.Plain {
    private final House house;
    private List<Integer> addresses = List.of();

    RandomList(House house) {
        this.house = house;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        then.accept(new Choice.Use(addresses.get(house.draw(addresses.size())), this));
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        // Learns nothing.
    }

    @Override
    public void members(List<Integer> addresses) {
        this.addresses = addresses;
    }

    @Override
    public void restart() {
        // Remembers nothing.
    }
}
