package io.paceline.service.advice;

import java.util.Map;
import java.util.TreeMap;

/**
 * Under which rate one site complained: its minutes by how many requests they had, and how many of those were answered 429
 * or 503.
 */
final class SiteWatch {
    private static final long MINUTE = 60_000_000;

    /** In minutes up to the rate advised, at most so many requests in a thousand may have met a complaint. */
    private static final int TOLERATED_IN_1000 = 2;

    /** How much below the fastest quiet minutes it is safe to go. */
    private static final double MARGIN = 0.9;

    private final Map<Integer, Minutes> byRequests = new TreeMap<>();
    private long minute = Long.MIN_VALUE;
    private int requests;
    private int complaints;
    private long allRequests;
    private long allComplaints;
    private long answers;
    private long refusals;

    /** All minutes with one number of requests. */
    private static final class Minutes {
        private long minutes;
        private long complaining;
        private long complaints;
    }

    void started(long atMicros, int permits) {
        at(atMicros);
        requests += permits;
        allRequests += permits;
    }

    /** @param complained 429 or 503; {@code refused}: blocked, or asked for a captcha */
    void answered(long atMicros, boolean complained, boolean refused) {
        at(atMicros);
        answers++;
        if (complained) {
            complaints++;
            allComplaints++;
        }
        if (refused) {
            refusals++;
        }
    }

    private void at(long micros) {
        long now = Math.floorDiv(micros, MINUTE);
        if (now > minute) {
            close();
            minute = now;
        }
    }

    private void close() {
        if (requests > 0 || complaints > 0) {
            Minutes alike = byRequests.computeIfAbsent(requests, absent -> new Minutes());
            alike.minutes++;
            alike.complaints += complaints;
            alike.complaining += complaints > 0 ? 1 : 0;
        }
        requests = 0;
        complaints = 0;
    }

    /** No more lines come. */
    void end() {
        close();
    }

    long requests() {
        return allRequests;
    }

    long answers() {
        return answers;
    }

    long complaints() {
        return allComplaints;
    }

    /** Blocks and captchas. */
    long refusals() {
        return refusals;
    }

    long minutes() {
        return byRequests.values().stream().mapToLong(one -> one.minutes).sum();
    }

    long complainingMinutes() {
        return byRequests.values().stream().mapToLong(one -> one.complaining).sum();
    }

    /** Requests of the fullest minute. */
    int fullest() {
        return byRequests.keySet().stream().reduce(0, Math::max);
    }

    /** The fewest requests of a minute that met a complaint. */
    int slowestComplained() {
        return byRequests.entrySet().stream()
                .filter(entry -> entry.getValue().complaining > 0 && entry.getKey() > 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }

    /** The most requests of a minute up to which the site hardly ever complained; 0 where it did at any rate. */
    int quietUpTo() {
        long sent = 0;
        long met = 0;
        int quiet = 0;
        for (Map.Entry<Integer, Minutes> entry : byRequests.entrySet()) {
            sent += entry.getKey() * entry.getValue().minutes;
            met += entry.getValue().complaints;
            if (met * 1_000 <= sent * TOLERATED_IN_1000 && entry.getKey() > 0) {
                quiet = entry.getKey();
            }
        }
        return quiet;
    }

    /** A limit by the minute under which it should be quiet. */
    int advised() {
        int quiet = quietUpTo();
        double most = quiet > 0 ? MARGIN * quiet : slowestComplained() / 2.0;
        return Math.max(1, (int) most);
    }
}
