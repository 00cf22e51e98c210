package io.paceline.sim.pool;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The policies that are compared, the oracle first. */
public enum Contestant {
    ORACLE,
    PACELINE,
    RANDOM,
    BACKOFF,
    SESSIONS,
    OUTLIER,
    BROKER;

    Policy policy(House house, Truth truth, long seed) {
        return switch (this) {
            case ORACLE -> new Oracle(house, truth);
            case PACELINE -> new Paceline(house, new VirtualProber(house, truth), seed);
            case RANDOM -> new RandomList(house);
            case BACKOFF -> new BackoffList(house);
            case SESSIONS -> new SessionScores(house);
            case OUTLIER -> new OutlierEjection(house);
            case BROKER -> new NaiveBroker(house);
        };
    }

    /** The word for it on the command line and in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The contestant of that name.
     *
     * @throws IllegalArgumentException that lists the names there are
     */
    public static Contestant of(String word) {
        return Arrays.stream(values())
                .filter(c -> c.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown policy \"" + word + "\": choose from " + String.join(", ", words())));
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Contestant::word).toList();
    }
}
