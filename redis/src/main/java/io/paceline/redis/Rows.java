package io.paceline.redis;

import io.paceline.health.Latency;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import io.paceline.pace.PaceRow;

/** Reads the rows that scripts answer with: of addresses, cells, tallies and paces. How they are written: docs/decisions. */
final class Rows {
    private static final int OWNER = 32;
    private static final int BUCKETS = 64;
    private static final int ENTRY = 18;

    private Rows() {}

    static SubjectRow address(byte[] raw) {
        return subject(raw, true);
    }

    /** A row that there is none of is a fresh one. */
    static SubjectRow cell(byte[] raw) {
        return raw.length == 0 ? FRESH : subject(raw, false);
    }

    private static final SubjectRow FRESH =
            new SubjectRow(Standings.unpack(new byte[0]), 0, 0, 0, 0, 0, 0, 0, Trail.NONE, 0);

    private static SubjectRow subject(byte[] raw, boolean ofAddress) {
        Unpacker in = new Unpacker(raw);
        int live = in.integer();
        int revision = in.integer();
        in.number();
        in.octet();
        byte[] standing = in.raw(in.word());
        if (ofAddress) {
            in.raw(OWNER);
        }
        Evidence seen = in.more() ? Evidence.read(in, ofAddress) : Evidence.NOTHING;
        return new SubjectRow(
                Standings.unpack(standing),
                seen.outcomes,
                seen.successes,
                seen.fails,
                seen.winsInRow,
                seen.wins,
                seen.latencyMicros,
                live,
                seen.trail,
                seen.latency,
                revision);
    }

    /** What was counted. */
    private record Evidence(
            int outcomes,
            int successes,
            int fails,
            int winsInRow,
            int wins,
            long latencyMicros,
            Trail trail,
            Latency latency) {
        static final Evidence NOTHING = new Evidence(0, 0, 0, 0, 0, 0, Trail.NONE, Latency.NONE);

        static Evidence read(Unpacker in, boolean ofAddress) {
            in.octet(); // owed
            int stretch = in.octet();
            long since = in.number();
            int counted = in.integer();
            int countedFaults = in.integer();
            in.number(); // step of the tallies
            in.octet();
            in.integer(); // epoch of the address
            int fails = in.integer();
            int winsInRow = in.integer();
            int wins = in.integer();
            float latency = in.single();
            in.number(); // last fault
            byte[] window = in.raw(in.octet());
            long faults = bits(window, 'F') | bits(window, 'C');
            long marksLow = ofAddress ? in.packed() : 0;
            long marksHigh = ofAddress ? in.packed() : 0;
            Trail trail = faults == 0
                    ? Trail.NONE
                    : new Trail(
                            faults,
                            bits(window, 'C'),
                            window.length,
                            marksLow,
                            marksHigh,
                            stretch,
                            since,
                            counted,
                            countedFaults);
            return new Evidence(
                    window.length,
                    window.length - Long.bitCount(faults),
                    fails,
                    winsInRow,
                    wins,
                    (long) latency,
                    trail,
                    in.more() ? latency(in) : Latency.NONE);
        }

        private static long bits(byte[] window, char letter) {
            long bits = 0;
            for (int age = 0; age < window.length; age++) {
                bits |= window[age] == letter ? 1L << age : 0;
            }
            return bits;
        }

        private static Latency latency(Unpacker in) {
            in.raw(BUCKETS + 1);
            in.single(); // norm
            float p50 = in.single();
            float p95 = in.single();
            float jump = in.single();
            return p95 == 0 ? Latency.NONE : new Latency(p50, p95, jump);
        }
    }

    /** A tally with its id before it. */
    static TallyRow tally(byte[] raw) {
        Unpacker in = new Unpacker(raw);
        long id = in.id();
        long guiltySince = in.number();
        long newestStep = in.number();
        double usual = in.real();
        double unreached = in.real();
        double faults = in.real();
        double captchas = in.real();
        in.number(); // their time
        in.single(); // what is typical
        long[] steps = longs(in, TallyRow.STEPS);
        long[] stepsOfGood = longs(in, TallyRow.STEPS);
        int size = in.left() / ENTRY;
        long[] entries = new long[size];
        long[] times = new long[size];
        for (int i = 0; i < size; i++) {
            long signs = in.octet();
            long slot = in.word() | (long) in.octet() << 16;
            long target = in.word();
            long tag = in.word();
            long otherTag = in.word();
            entries[i] = signs | slot << 5 | target << 24 | tag << 40 | otherTag << 52;
            times[i] = in.number();
        }
        return new TallyRow(
                id, guiltySince, entries, times, steps, stepsOfGood, newestStep, usual, unreached, faults, captchas);
    }

    private static long[] longs(Unpacker in, int size) {
        long[] values = new long[size];
        for (int i = 0; i < size; i++) {
            values[i] = in.packed();
        }
        return values;
    }

    static PaceRow pace(byte[] raw) {
        Unpacker in = new Unpacker(raw);
        int epoch = (int) in.number();
        long since = in.number();
        long blockedUntil = in.number();
        int step = (int) in.number();
        int wins = (int) in.number();
        long slowInterval = in.number();
        double peak = in.real();
        long growth = in.number();
        return new PaceRow(epoch, since, blockedUntil, step, wins, slowInterval, peak, growth);
    }

    static byte[] pack(PaceRow row) {
        return new Packer()
                .number(row.epoch())
                .number(row.sinceMicros())
                .number(row.blockedUntilMicros())
                .number(row.step())
                .number(row.wins())
                .number(row.slowIntervalMicros())
                .number(row.peak())
                .number(row.growthMicros())
                .done();
    }
}
