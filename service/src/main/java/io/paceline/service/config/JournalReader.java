package io.paceline.service.config;

import io.paceline.service.journal.JournalSettings;
import io.paceline.service.journal.JournalSettings.Fsync;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code journal}. */
final class JournalReader {
    private JournalReader() {}

    static JournalSettings read(Value journal) {
        if (journal.isOff() && !journal.isNull() && journal.isScalar()) {
            return JournalSettings.off();
        }
        JournalSettings defaults = JournalSettings.defaults();
        if (journal.isScalar() && !journal.isNull()) {
            journal.error(
                    "is a single value that is not off: write journal: off, or journal: { flush: 1s, fsync: always }");
            return defaults;
        }
        return journal.section("journal")
                .map(section -> {
                    try (section) {
                        Duration flush = section.value("flush")
                                .flatMap(value -> value.duration().filter(time -> fits(value, time)))
                                .orElse(defaults.flush());
                        Fsync fsync = section.value("fsync")
                                .flatMap(value -> value.word(words(), List.of()))
                                .orElse(defaults.fsync());
                        return new JournalSettings(true, flush, fsync);
                    }
                })
                .orElse(defaults);
    }

    private static boolean fits(Value value, Duration flush) {
        boolean fits = flush.compareTo(JournalSettings.SHORTEST_FLUSH) >= 0
                && flush.compareTo(JournalSettings.LONGEST_FLUSH) <= 0;
        if (!fits) {
            value.error("is not between 10ms and 1m: write flush: 1s");
        }
        return fits;
    }

    private static Map<String, Fsync> words() {
        Map<String, Fsync> words = new LinkedHashMap<>();
        for (Fsync fsync : Fsync.values()) {
            words.put(fsync.word(), fsync);
        }
        return words;
    }
}
