package io.paceline.sim.pace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Who is judged. */
public enum Contestant {
    /** The production gatekeeper with {@code pace: {adaptive: true}}. */
    PACELINE,
    /** Nine tenths of the first limit, as if somebody had told it. */
    TUNED,
    /** One request a second, which nobody tuned. */
    FIXED,
    /** Scrapy's AutoThrottle. */
    AUTOTHROTTLE,
    /** Additive increase, multiplicative decrease. */
    AIMD;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Contestant::word).toList();
    }

    /** @throws IllegalArgumentException for an unknown word; the message lists those there are */
    public static Contestant of(String word) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown policy \"" + word + "\": choose from " + String.join(", ", words())));
    }

    /** Its pacer, for those that are one. */
    Pacer pacer(Scenario scenario) {
        return switch (this) {
            case TUNED -> new Fixed(0.9 * scenario.perSecond());
            case FIXED -> new Fixed(1);
            case AUTOTHROTTLE -> new AutoThrottle();
            case AIMD -> new Aimd();
            case PACELINE -> throw new IllegalStateException("the gatekeeper is no pacer");
        };
    }
}
