package io.paceline.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tallies of the last ten minutes, and the rates that follow from their differences.
 *
 * <p>Bounded: at most one sample in ten seconds is kept, besides the newest. A counter that goes back (its source was
 * restarted, or lies) empties it.
 */
record History(List<Sample> samples) {

    static final History EMPTY = new History(List.of());

    static final long SPAN = 10 * Micros.MINUTE;
    private static final long SPACING = 10 * Micros.SECOND;

    /** Below so many attempts a share of failures says nothing. */
    static final int ENOUGH_ATTEMPTS = 8;

    /** One tally and when it was read. */
    record Sample(long atMicros, Tally tally) {}

    /** How many of the latest attempts failed. */
    record Failures(long attempts, long failed) {

        static final Failures NONE = new Failures(0, 0);

        boolean enough() {
            return attempts >= ENOUGH_ATTEMPTS;
        }

        /** 0 while there are too few attempts to say. */
        double share() {
            return enough() ? failed / (double) attempts : 0;
        }
    }

    History {
        samples = List.copyOf(samples);
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /** With that tally added, unless it is unknown or was seen before. */
    History with(Figure<Tally> figure, long nowMicros) {
        if (!(figure instanceof Figure.Known<Tally> known)) {
            return this;
        }
        Sample sample = new Sample(known.atMicros(), known.value());
        if (isEmpty() || sample.tally.wentBackFrom(newest().tally)) {
            return new History(List.of(sample));
        }
        if (sample.atMicros <= newest().atMicros) {
            return this;
        }
        List<Sample> kept = new ArrayList<>(samples);
        int last = kept.size() - 1;
        if (last >= 1 && sample.atMicros - kept.get(last - 1).atMicros < SPACING) {
            kept.remove(last);
        }
        kept.add(sample);
        while (kept.size() > 2 && kept.get(1).atMicros <= nowMicros - SPAN) {
            kept.remove(0);
        }
        return new History(kept);
    }

    /** Whether that tally stands lower than the newest one here. */
    boolean contradicts(Figure<Tally> figure) {
        return figure instanceof Figure.Known<Tally> known
                && !isEmpty()
                && known.value().wentBackFrom(newest().tally);
    }

    /** All times moved by so much. */
    History shifted(long micros) {
        return new History(samples.stream()
                .map(s -> new Sample(s.atMicros + micros, s.tally))
                .collect(Collectors.toList()));
    }

    double arrivalsPerSecond(long windowMicros) {
        Sample then = before(windowMicros);
        return perSecond(then, newestOr(then).tally.arrivals() - then.tally.arrivals());
    }

    /** The lower of the rates between the last three samples; 0 while there are fewer. */
    double sustainedArrivalsPerSecond() {
        int n = samples.size();
        return n < 3 ? 0 : Math.min(arrivals(n - 3, n - 2), arrivals(n - 2, n - 1));
    }

    private double arrivals(int from, int to) {
        Sample a = samples.get(from);
        Sample b = samples.get(to);
        return (b.tally.arrivals() - a.tally.arrivals()) / Micros.seconds(b.atMicros - a.atMicros);
    }

    double finishedPerSecond(long windowMicros) {
        Sample then = before(windowMicros);
        return perSecond(then, newestOr(then).tally.finished() - then.tally.finished());
    }

    double goodPerSecond(long windowMicros) {
        Sample then = before(windowMicros);
        Tally now = newestOr(then).tally;
        return perSecond(then, now.finished() - now.failed() - (then.tally.finished() - then.tally.failed()));
    }

    long finished(long windowMicros) {
        Sample then = before(windowMicros);
        return newestOr(then).tally.finished() - then.tally.finished();
    }

    double busySlotSeconds(long windowMicros) {
        Sample then = before(windowMicros);
        return newestOr(then).tally.busySlotSeconds() - then.tally.busySlotSeconds();
    }

    /** Slots that were busy on average over a window that ended {@code agoMicros} before the newest sample. */
    double busySlots(long windowMicros, long agoMicros) {
        Sample end = before(agoMicros);
        Sample begin = before(agoMicros + windowMicros);
        double seconds = Micros.seconds(end.atMicros - begin.atMicros);
        return seconds > 0 ? (end.tally.busySlotSeconds() - begin.tally.busySlotSeconds()) / seconds : 0;
    }

    long deaths(long windowMicros) {
        Sample then = before(windowMicros);
        return newestOr(then).tally.deaths() - then.tally.deaths();
    }

    /** Over the last minute, or as much of the last five as it takes to have enough attempts. */
    Failures failures() {
        for (long window = Micros.MINUTE; window <= 5 * Micros.MINUTE; window += Micros.MINUTE) {
            Failures seen = failures(window);
            if (seen.enough()) {
                return seen;
            }
        }
        return Failures.NONE;
    }

    private Failures failures(long windowMicros) {
        Sample then = before(windowMicros);
        Tally now = newestOr(then).tally;
        long own = now.finished()
                - now.throttled()
                - now.targetErrors()
                - (then.tally.finished() - then.tally.throttled() - then.tally.targetErrors());
        return new Failures(own, now.failed() - then.tally.failed());
    }

    private double perSecond(Sample then, long count) {
        double seconds = Micros.seconds(newestOr(then).atMicros - then.atMicros);
        return seconds > 0 ? count / seconds : 0;
    }

    private Sample newest() {
        return samples.get(samples.size() - 1);
    }

    private Sample newestOr(Sample otherwise) {
        return isEmpty() ? otherwise : newest();
    }

    /** The newest sample that is at least a window older than the newest, else the oldest. */
    private Sample before(long windowMicros) {
        if (isEmpty()) {
            return new Sample(0, Tally.ZERO);
        }
        long until = newest().atMicros - windowMicros;
        Sample found = samples.get(0);
        for (Sample sample : samples) {
            if (sample.atMicros > until) {
                break;
            }
            found = sample;
        }
        return found;
    }

    String toText() {
        return samples.stream().map(History::text).collect(Collectors.joining(","));
    }

    static History parse(String text) {
        return text.isEmpty()
                ? EMPTY
                : new History(
                        Arrays.stream(text.split(",")).map(History::sample).collect(Collectors.toList()));
    }

    private static String text(Sample s) {
        Tally t = s.tally;
        return s.atMicros + ":" + t.arrivals() + ":" + t.finished() + ":" + t.failed() + ":" + t.throttled() + ":"
                + t.targetErrors() + ":" + t.deaths() + ":" + t.busySlotSeconds();
    }

    private static Sample sample(String text) {
        String[] p = text.split(":");
        Tally tally = new Tally(
                Long.parseLong(p[1]),
                Long.parseLong(p[2]),
                Long.parseLong(p[3]),
                Long.parseLong(p[4]),
                Long.parseLong(p[5]),
                Long.parseLong(p[6]),
                Double.parseDouble(p[7]));
        return new Sample(Long.parseLong(p[0]), tally);
    }
}
