package io.paceline.service.journal;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * How the journal is kept.
 *
 * @param on false: what is in memory ends with the process
 * @param flush how often what has changed is written: what a kill loses at most
 * @param fsync how often the system is told to bring it to the disk: what a power cut loses at most
 */
public record JournalSettings(boolean on, Duration flush, Fsync fsync) {

    public static final Duration SHORTEST_FLUSH = Duration.ofMillis(10);
    public static final Duration LONGEST_FLUSH = Duration.ofMinutes(1);

    /** With {@link Fsync#INTERVAL}. */
    static final Duration FSYNC_INTERVAL = Duration.ofSeconds(10);

    /** When written data is forced to the disk. */
    public enum Fsync {
        /** At each flush. */
        ALWAYS,
        /** Every ten seconds. */
        INTERVAL,
        /** When the system likes to. */
        NEVER;

        /** The word of the configuration. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public JournalSettings {
        Objects.requireNonNull(fsync, "fsync");
        if (flush.compareTo(SHORTEST_FLUSH) < 0 || flush.compareTo(LONGEST_FLUSH) > 0) {
            throw new IllegalArgumentException("flush " + flush + " is not between 10ms and 1m");
        }
    }

    /** As the configuration says it. */
    @Override
    public String toString() {
        return on ? "{ flush: " + flush.toMillis() + "ms, fsync: " + fsync.word() + " }" : "off";
    }

    public static JournalSettings defaults() {
        return new JournalSettings(true, Duration.ofSeconds(1), Fsync.ALWAYS);
    }

    public static JournalSettings off() {
        return new JournalSettings(false, Duration.ofSeconds(1), Fsync.ALWAYS);
    }
}
