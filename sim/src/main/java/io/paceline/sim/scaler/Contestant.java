package io.paceline.sim.scaler;

import io.paceline.scale.Planner;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Threshold;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The policies that are compared, all behind the same brakes. */
public enum Contestant {
    THRESHOLD,
    PLANNER,
    HPA,
    KEDA,
    TARGET,
    FIXED;

    Pilot<?> pilot(ScalerSettings settings) {
        return switch (this) {
            case THRESHOLD -> new Pilot<>(new Threshold(settings, Threshold.Options.defaults()), settings);
            case PLANNER -> new Pilot<>(new Planner(settings), settings);
            case HPA -> new Pilot<>(new Hpa(settings), settings);
            case KEDA -> new Pilot<>(new KedaLag(settings), settings);
            case TARGET -> new Pilot<>(new TargetTracking(settings), settings);
            case FIXED -> new Pilot<>(new Fixed(settings), settings);
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
        return Arrays.stream(values()).map(Contestant::word).collect(Collectors.toList());
    }
}
