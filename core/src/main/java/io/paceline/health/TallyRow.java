package io.paceline.health;

/**
 * What a target, a tag or the whole pool has seen lately, as a store returns it: the newest outcomes one by one, counts in
 * steps of ten seconds for two minutes, and what is normal in the long run.
 *
 * <p>No address has more than {@link #MOST_PER_STEP} outcomes of one target in a step, so that one that is used much, or
 * fails fast, cannot speak for all. Immutable.
 */
public final class TallyRow {
    /** Outcomes that a tally of a target or a tag remembers one by one. */
    public static final int ENTRIES = 32;

    /** Outcomes that the tally of a pool remembers one by one. */
    public static final int POOL_ENTRIES = 128;

    /** Steps that are remembered. */
    public static final int STEPS = 12;

    public static final long STEP_MICROS = 10_000_000;

    public static final int MOST_PER_STEP = 3;

    /** The id of the tally of a pool. */
    static final long POOL = 0;

    private static final long GOOD = 8;
    private static final long PROVEN = 16;
    private static final long SLOT = 0x7ffff;

    /** What is normal is worth so many outcomes where nothing is known. */
    private static final double PRIOR_WEIGHT = 20;

    private final long id;
    private final long guiltySinceMicros;
    private final long[] entries;
    private final long[] timesMicros;
    private final long[] steps;
    private final long[] stepsOfGood;
    private final long newestStep;
    private final double usual;
    private final double usualUnreached;
    private final double usualFaults;
    private final double usualCaptchas;

    /**
     * Arrays are handed over: whoever calls must not change them afterwards.
     *
     * @param entries packed by {@link #entry}, newest first
     * @param timesMicros when each was
     * @param steps counts packed by {@link #step}, the newest first
     * @param stepsOfGood the same of outcomes whose address and cell had not failed lately before
     * @param newestStep the number of the newest step: its time / {@link #STEP_MICROS}
     * @param usual outcomes in good times, old ones weighing less
     * @param usualUnreached of them {@link Sign#UNREACHED}
     * @param usualFaults of them failed in whatever way
     * @param usualCaptchas of them {@link Sign#CAPTCHA}
     */
    public TallyRow(
            long id,
            long guiltySinceMicros,
            long[] entries,
            long[] timesMicros,
            long[] steps,
            long[] stepsOfGood,
            long newestStep,
            double usual,
            double usualUnreached,
            double usualFaults,
            double usualCaptchas) {
        this.id = id;
        this.guiltySinceMicros = guiltySinceMicros;
        this.entries = entries;
        this.timesMicros = timesMicros;
        this.steps = steps;
        this.stepsOfGood = stepsOfGood;
        this.newestStep = newestStep;
        this.usual = usual;
        this.usualUnreached = usualUnreached;
        this.usualFaults = usualFaults;
        this.usualCaptchas = usualCaptchas;
    }

    /** Which failures are compared: an address is blamed for what did not get through, a cell for whatever failed. */
    public enum Kind {
        UNREACHED(16),
        FAULTS(32),
        CAPTCHAS(48);

        /** Where its count stands in a packed step. */
        private final int shift;

        Kind(int shift) {
            this.shift = shift;
        }
    }

    // ---- what is packed

    /** 3 bits of sign, one each that tell whether address and cell were well, and whether it ever got through, 19 of the slot, 16 of the target, 12 of each of two tags. */
    public static long entry(Sign sign, boolean good, boolean proven, int slot, long target, long tag, long otherTag) {
        return sign.code
                | (good ? GOOD : 0)
                | (proven ? PROVEN : 0)
                | ((slot & SLOT) << 5)
                | (markOfTarget(target) << 24)
                | (markOfTag(tag) << 40)
                | (markOfTag(otherTag) << 52);
    }

    /** Four counts of 16 bits: outcomes, unreached, faults, captchas. */
    public static long step(int outcomes, int unreached, int faults, int captchas) {
        return (outcomes & 0xffffL)
                | ((unreached & 0xffffL) << 16)
                | ((faults & 0xffffL) << 32)
                | ((long) captchas << 48);
    }

    static long markOfTarget(long target) {
        return (target ^ (target >>> 31)) & 0xffff;
    }

    static long markOfTag(long tag) {
        return tag == 0 ? 0 : (tag ^ (tag >>> 37)) & 0xfff;
    }

    // ---- what is read

    public long id() {
        return id;
    }

    /** Since when it is held to be guilty; 0 where it is not. */
    public long guiltySinceMicros() {
        return guiltySinceMicros;
    }

    public boolean guilty() {
        return guiltySinceMicros != 0;
    }

    int size() {
        return entries.length;
    }

    long atMicros(int age) {
        return timesMicros[age];
    }

    Sign sign(int age) {
        return Sign.of((int) (entries[age] & 0x7));
    }

    /** The address had got through before, or did so now: one that never did says nothing about a group. */
    boolean proven(int age) {
        return (entries[age] & PROVEN) != 0;
    }

    /** Address and cell had not failed lately before this outcome. */
    boolean good(int age) {
        return (entries[age] & GOOD) != 0;
    }

    boolean failed(int age) {
        return sign(age).failed();
    }

    long slotMark(int age) {
        return (entries[age] >>> 5) & SLOT;
    }

    static long markOfSlot(int slot) {
        return slot & SLOT;
    }

    long targetMark(int age) {
        return (entries[age] >>> 24) & 0xffff;
    }

    long tagMark(int age) {
        return (entries[age] >>> 40) & 0xfff;
    }

    long otherTagMark(int age) {
        return entries[age] >>> 52 & 0xfff;
    }

    boolean ofTag(int age, long mark) {
        return tagMark(age) == mark || otherTagMark(age) == mark;
    }

    /** When the oldest outcome was that is remembered one by one; the end of time where there is none. */
    long oldestMicros() {
        return timesMicros.length == 0 ? Long.MAX_VALUE : timesMicros[timesMicros.length - 1];
    }

    /** Outcomes, and failures of that kind among them, in the steps from the one of {@code sinceMicros} on. */
    Count since(long sinceMicros, Kind kind) {
        return sum(steps, sinceMicros, kind);
    }

    /** The same of outcomes whose address and cell had not failed lately before. */
    Count sinceOfGood(long sinceMicros, Kind kind) {
        return sum(stepsOfGood, sinceMicros, kind);
    }

    private Count sum(long[] counts, long sinceMicros, Kind kind) {
        long first = Math.floorDiv(sinceMicros, STEP_MICROS);
        int outcomes = 0;
        int failures = 0;
        for (int i = 0; i < counts.length && newestStep - i >= first; i++) {
            outcomes += (int) (counts[i] & 0xffff);
            failures += (int) ((counts[i] >>> kind.shift) & 0xffff);
        }
        return new Count(outcomes, failures);
    }

    /**
     * The share of failures of that kind that is normal here.
     *
     * @param elsewhere what is normal elsewhere: worth 20 outcomes
     */
    double usualShare(Kind kind, double elsewhere) {
        return (usualOf(kind) + PRIOR_WEIGHT * elsewhere) / (usual + PRIOR_WEIGHT);
    }

    /** The same without a stretch that is being judged: on a young tally it would excuse itself. */
    double usualFaultsWithout(Count stretch, double elsewhere) {
        double faults = Math.max(0, usualFaults - stretch.failures());
        double outcomes = Math.max(0, usual - stretch.outcomes());
        return (faults + PRIOR_WEIGHT * elsewhere) / (outcomes + PRIOR_WEIGHT);
    }

    /** Outcomes from which is known what is normal here. */
    double usualOutcomes() {
        return usual;
    }

    /** Something has been seen to work: failures mean something then. */
    boolean hasWorked() {
        return usual - usualFaults >= 1;
    }

    private double usualOf(Kind kind) {
        return switch (kind) {
            case UNREACHED -> usualUnreached;
            case FAULTS -> usualFaults;
            case CAPTCHAS -> usualCaptchas;
        };
    }

    /** Some outcomes, and how many of them failed. */
    record Count(int outcomes, int failures) {

        Count minus(int ownOutcomes, int ownFailures) {
            int left = Math.max(0, outcomes - ownOutcomes);
            return new Count(left, Math.min(left, Math.max(0, failures - ownFailures)));
        }

        Count minus(Count other) {
            return minus(other.outcomes, other.failures);
        }
    }
}
