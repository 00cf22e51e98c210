package io.paceline.demo.history;

import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * How acquires were answered while all instances had the shared store, while none had it, and in between.
 *
 * @param name {@code together}, {@code alone} or {@code between}
 * @param seconds that it lasted, all told
 * @param permits that were given
 * @param refused acquires that were refused
 * @param p50Micros of the time from call to answer; 0 where there was none
 */
public record Phase(
        String name, double seconds, long permits, long refused, long p50Micros, long p99Micros, long longestMicros) {
    private static final long STEP_MICROS = 50_000;

    private static final class Gathered {
        private final String name;
        private final List<Long> took = new ArrayList<>();
        private long steps;
        private long permits;
        private long refused;

        Gathered(String name) {
            this.name = name;
        }

        Phase phase() {
            long[] sorted = took.stream().mapToLong(Long::longValue).sorted().toArray();
            return new Phase(
                    name,
                    steps * STEP_MICROS / 1e6,
                    permits,
                    refused,
                    at(sorted, 0.5),
                    at(sorted, 0.99),
                    at(sorted, 1));
        }

        private static long at(long[] sorted, double part) {
            return sorted.length == 0
                    ? 0
                    : sorted[(int) Math.min(sorted.length - 1L, Math.round(sorted.length * part))];
        }
    }

    /**
     * The three of them.
     *
     * @param timed whose answers are timed: those that nobody held until their turn
     */
    public static List<Phase> of(History history, long fromMicros, long toMicros, Predicate<Event.Ask> timed) {
        Gathered together = new Gathered("together");
        Gathered alone = new Gathered("alone");
        Gathered between = new Gathered("between");
        for (long at = fromMicros; at < toMicros; at += STEP_MICROS) {
            which(history, at, at + STEP_MICROS, together, alone, between).steps++;
        }
        for (Event event : history.events()) {
            Event.Ask ask = event instanceof Permit permit
                    ? permit.ask()
                    : event instanceof Refusal refusal ? refusal.ask() : null;
            if (ask != null && event.calledMicros() >= fromMicros && event.answeredMicros() <= toMicros) {
                Gathered phase = which(history, event.calledMicros(), event.answeredMicros(), together, alone, between);
                phase.permits += event instanceof Permit ? 1 : 0;
                phase.refused += event instanceof Refusal ? 1 : 0;
                if (timed.test(ask)) {
                    phase.took.add(event.answeredMicros() - event.calledMicros());
                }
            }
        }
        return Arrays.asList(together.phase(), alone.phase(), between.phase());
    }

    private static Gathered which(
            History history, long from, long to, Gathered together, Gathered alone, Gathered between) {
        if (history.together(from, to)) {
            return together;
        }
        return history.alone(from, to) ? alone : between;
    }
}
