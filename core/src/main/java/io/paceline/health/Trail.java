package io.paceline.health;

/**
 * The last outcomes of an address or a cell, newest first: what {@link Blame} weighs.
 *
 * @param faults bit i is set where the i-th newest outcome was a fault
 * @param captchas bit i is set where the i-th newest outcome was a captcha (a fault too)
 * @param length outcomes remembered, at most {@link SubjectRow#WINDOW}
 * @param marksLow a mark of 8 bits of the target for each of the newest 8 outcomes
 * @param marksHigh and for the 8 before them
 * @param stretch outcomes of the present bad stretch; 0 where all is well
 * @param sinceMicros when that began, with a fault
 * @param counted outcomes since then that entered the tallies
 * @param countedFaults faults among them
 */
public record Trail(
        long faults,
        long captchas,
        int length,
        long marksLow,
        long marksHigh,
        int stretch,
        long sinceMicros,
        int counted,
        int countedFaults) {

    /** Outcomes of which the target is remembered. */
    public static final int MARKED = 16;

    /** A bad stretch is over when so many successes have made up for each of its faults ... */
    public static final int SUCCESSES_A_FAULT = 5;

    /** ... of which no more than this are still to come, however long it was. */
    public static final int MOST_SUCCESSES = 40;

    public static final Trail NONE = new Trail(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The mark of a target. */
    public static int mark(long target) {
        return (int) (target ^ (target >>> 29)) & 0xff;
    }

    public boolean fault(int age) {
        return ((faults >>> age) & 1) != 0;
    }

    public boolean captcha(int age) {
        return ((captchas >>> age) & 1) != 0;
    }

    /** The mark of the target of an outcome among the newest {@link #MARKED}. */
    public int markAt(int age) {
        return (int) ((age < 8 ? marksLow >>> (8 * age) : marksHigh >>> (8 * (age - 8))) & 0xff);
    }

    /** Faults among the newest so many outcomes. */
    public int faultsAmong(int newest) {
        return Long.bitCount(faults & mask(newest));
    }

    /** Captchas among all that is remembered. */
    public int captchaCount() {
        return Long.bitCount(captchas & mask(length));
    }

    private static long mask(int bits) {
        return bits >= Long.SIZE ? -1L : (1L << bits) - 1;
    }
}
