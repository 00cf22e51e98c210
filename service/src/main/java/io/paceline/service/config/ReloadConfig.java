package io.paceline.service.config;

import java.time.Duration;
import java.util.Objects;

/**
 * How changes of the files are noticed.
 *
 * @param watch false: nobody looks at the files, and only a signal or the API makes them be read again
 * @param poll how often they are looked at
 * @param settle how long they must look the same before they are read: a file that is being written is half a file
 */
public record ReloadConfig(boolean watch, Duration poll, Duration settle) {

    private static final Duration LEAST_POLL = Duration.ofMillis(10);

    public ReloadConfig {
        Objects.requireNonNull(settle, "settle");
        if (poll.isZero() || poll.isNegative()) {
            throw new IllegalArgumentException("poll " + poll + " is not above 0");
        }
    }

    public static ReloadConfig defaults() {
        return new ReloadConfig(true, Duration.ofSeconds(1), Duration.ofMillis(500));
    }

    static ReloadConfig read(Section reload) {
        try (reload) {
            ReloadConfig defaults = defaults();
            boolean watch = reload.value("poll")
                    .map(value -> value.isNull() || !value.isOff())
                    .orElse(true);
            Duration poll = watch ? reload.positive("poll", defaults.poll) : defaults.poll;
            if (poll.compareTo(LEAST_POLL) < 0) {
                reload.error("poll", "poll " + DurationText.format(poll) + " is below 10ms: write poll: 1s");
                poll = defaults.poll;
            }
            return new ReloadConfig(watch, poll, reload.duration("settle", defaults.settle));
        }
    }
}
