package io.paceline.demo.chaos;

import io.paceline.demo.chaos.RedisFarm.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What may befall gatekeepers and Redis. */
enum FaultKind {
    KILL("kill -9 of a gatekeeper, which is started again", 3, null),
    FREEZE("a gatekeeper stands still (SIGSTOP)", 5, null),
    REDIS_RESTART("Redis is killed and starts again at once, empty", 0, Shape.SINGLE),
    REDIS_STOP("Redis is killed, and starts again later, empty", 10, Shape.SINGLE),
    REDIS_PAUSE("Redis stands still (SIGSTOP), and forgets nothing", 5, Shape.SINGLE),
    SLOW("Redis answers 30 ms later", 5, Shape.SINGLE),
    TOO_SLOW("Redis answers 150 ms later, which is too late", 5, Shape.SINGLE),
    CUT_OFF("one gatekeeper is cut off from Redis", 8, Shape.SINGLE),
    DROP("Redis closes all connections of gatekeepers", 0, Shape.SINGLE),
    DROP_PUBSUB("Redis closes all connections that listen to announcements", 0, Shape.SINGLE),
    FAILOVER("the master is killed, and Sentinel makes its replica the master", 0, Shape.SENTINEL),
    SLOT("the slot of all keys is moved to another node, under load", 0, Shape.CLUSTER);

    private final String words;
    private final int seconds;
    /** The only one that it fits; null where it fits all. */
    private final @Nullable Shape only;

    FaultKind(String words, int seconds, @Nullable Shape only) {
        this.words = words;
        this.seconds = seconds;
        this.only = only;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String words() {
        return words;
    }

    boolean fits(Shape shape) {
        return only == null || only == shape;
    }

    /** The wires of the gatekeepers have a hand in it. */
    boolean onTheWire() {
        return this == SLOW || this == TOO_SLOW || this == CUT_OFF;
    }

    /** One of them, for so long. */
    record Planned(FaultKind kind, int seconds) {

        private static final int MOST_SECONDS = 600;

        /**
         * From {@code redis-stop} or {@code redis-stop:30}.
         *
         * @throws IllegalArgumentException that says what to write
         */
        static Planned parse(String text, Shape shape) {
            String[] parts = text.strip().split(":", 2);
            Optional<FaultKind> kind = Arrays.stream(FaultKind.values())
                    .filter(some -> some.word().equals(parts[0]))
                    .findFirst();
            if (kind.isEmpty()) {
                throw new IllegalArgumentException("fault '" + parts[0] + "' is unknown: write some of " + all(shape));
            }
            if (!kind.get().fits(shape)) {
                throw new IllegalArgumentException("fault " + parts[0] + " does not befall a Redis that is '"
                        + shape.word() + "': write some of " + all(shape) + ", or another --redis");
            }
            return new Planned(kind.get(), parts.length == 1 ? kind.get().seconds : seconds(text, parts[1]));
        }

        private static int seconds(String text, String number) {
            try {
                int seconds = Integer.parseInt(number);
                if (seconds >= 0 && seconds <= MOST_SECONDS) {
                    return seconds;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw new IllegalArgumentException(
                    "fault '" + text + "': after ':' write whole seconds, 0 to " + MOST_SECONDS);
        }
    }

    static String all(Shape shape) {
        return String.join(
                ", ",
                Arrays.stream(values())
                        .filter(kind -> kind.fits(shape))
                        .map(FaultKind::word)
                        .toList());
    }

    /** What befalls where nothing else is asked for: everything but what the documents tell people not to do. */
    static List<String> usual(Shape shape) {
        return Arrays.stream(values())
                .filter(kind -> kind.fits(shape) && kind != SLOT)
                .map(FaultKind::word)
                .toList();
    }
}
