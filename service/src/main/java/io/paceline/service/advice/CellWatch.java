package io.paceline.service.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much each address of a pool sent to one site before the site put it out: whether the pool is too small for the load,
 * or too poor.
 */
final class CellWatch {
    private static final long MINUTE = 60_000_000;
    private static final int MINUTES = 10;
    private static final int MAX_ADDRESSES = 100_000;

    /** Of the bans, so many may have come after fewer requests than are advised. */
    private static final double EARLIEST = 0.1;

    private static final double MARGIN = 0.8;

    private final Map<String, Recent> byAddress = new HashMap<>();
    private final Recent together = new Recent();
    private final Set<String> banned = new HashSet<>();
    private final List<Integer> sentBefore = new ArrayList<>();
    private int busiest;

    /** Requests of the last ten minutes, one by one. */
    private static final class Recent {
        private final int[] counts = new int[MINUTES];
        private long minute = Long.MIN_VALUE / 2;

        private void add(long minuteNow, int requests) {
            advance(minuteNow);
            counts[Math.floorMod(minuteNow, MINUTES)] += requests;
        }

        private int sum(long minuteNow) {
            advance(minuteNow);
            int sum = 0;
            for (int count : counts) {
                sum += count;
            }
            return sum;
        }

        private void advance(long minuteNow) {
            long gone = Math.min(MINUTES, minuteNow - minute);
            for (long i = 0; i < gone; i++) {
                counts[Math.floorMod(minuteNow - i, MINUTES)] = 0;
            }
            minute = Math.max(minute, minuteNow);
        }
    }

    void started(String address, long atMicros) {
        long minute = Math.floorDiv(atMicros, MINUTE);
        if (byAddress.containsKey(address) || byAddress.size() < MAX_ADDRESSES) {
            byAddress.computeIfAbsent(address, absent -> new Recent()).add(minute, 1);
        }
        together.add(minute, 1);
        busiest = Math.max(busiest, together.sum(minute));
    }

    void putOut(String address, long atMicros) {
        Recent recent = byAddress.get(address);
        if (recent != null && sentBefore.size() < MAX_ADDRESSES) {
            banned.add(address);
            sentBefore.add(recent.sum(Math.floorDiv(atMicros, MINUTE)));
        }
    }

    int bans() {
        return sentBefore.size();
    }

    int addresses() {
        return byAddress.size();
    }

    /** Addresses that were put out at least once. */
    int banned() {
        return banned.size();
    }

    /** Requests of all addresses in the busiest ten minutes. */
    int busiest() {
        return busiest;
    }

    /** Requests in ten minutes before a ban, at the median. */
    int medianBefore() {
        return at(0.5);
    }

    /** The same of the earliest tenth. */
    int earliestBefore() {
        return at(EARLIEST);
    }

    private int at(double share) {
        if (sentBefore.isEmpty()) {
            return 0;
        }
        List<Integer> sorted = new ArrayList<>(sentBefore);
        Collections.sort(sorted);
        return sorted.get((int) Math.min(sorted.size() - 1, share * sorted.size()));
    }

    /** Addresses among which the busiest ten minutes would have stayed below what was banned. */
    int enough() {
        double each = Math.max(1, MARGIN * earliestBefore());
        return (int) Math.ceil(busiest / each);
    }
}
