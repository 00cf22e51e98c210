package io.paceline.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How many workers were paid for during the last hour: changes only, so it stays short.
 *
 * <p>Why an hour is watched at all when affordable workers are already capped: workers that drain, a budget that was
 * lowered, or another fleet's workers may have spent more than the cap allows now.
 */
record Ledger(List<Entry> entries) {

    static final Ledger EMPTY = new Ledger(List.of());

    /** How far ahead the next step must be affordable. */
    private static final long AHEAD = 5 * Micros.MINUTE;

    private static final int MOST_ENTRIES = 1000;

    /** From then on so many workers. */
    record Entry(long atMicros, int workers) {}

    Ledger {
        entries = List.copyOf(entries);
    }

    Ledger with(long nowMicros, int workers) {
        if (!entries.isEmpty() && nowMicros < newest().atMicros) {
            return new Ledger(List.of(new Entry(nowMicros, workers)));
        }
        if (!entries.isEmpty() && newest().workers == workers) {
            return this;
        }
        List<Entry> kept = new ArrayList<>(entries);
        kept.add(new Entry(nowMicros, workers));
        while (kept.size() > 1 && (kept.get(1).atMicros <= nowMicros - Micros.HOUR || kept.size() > MOST_ENTRIES)) {
            kept.remove(0);
        }
        return new Ledger(kept);
    }

    /** The most workers that keep the hour ending {@link #AHEAD} from now within the budget. */
    int allowed(Budget budget, long nowMicros) {
        if (!budget.limited()) {
            return Integer.MAX_VALUE;
        }
        double affordable = budget.affordable() * (double) Micros.HOUR;
        double spent = spentSince(nowMicros - (Micros.HOUR - AHEAD), nowMicros);
        return (int) Math.max(0, Math.floor((affordable - spent) / AHEAD + 1e-6));
    }

    /** Worker-microseconds between two times. */
    double spentSince(long sinceMicros, long nowMicros) {
        double spent = 0;
        for (int i = 0; i < entries.size(); i++) {
            long from = Math.max(sinceMicros, entries.get(i).atMicros);
            long until = i + 1 < entries.size() ? entries.get(i + 1).atMicros : nowMicros;
            spent += Math.max(0, until - from) * (double) entries.get(i).workers;
        }
        return spent;
    }

    private Entry newest() {
        return entries.get(entries.size() - 1);
    }

    String toText() {
        return entries.stream().map(e -> e.atMicros + ":" + e.workers).collect(Collectors.joining(","));
    }

    static Ledger parse(String text) {
        return text.isEmpty()
                ? EMPTY
                : new Ledger(Arrays.stream(text.split(","))
                        .map(e -> e.split(":"))
                        .map(e -> new Entry(Long.parseLong(e[0]), Integer.parseInt(e[1])))
                        .collect(Collectors.toList()));
    }
}
