package io.paceline.store;

import io.paceline.health.Sign;
import io.paceline.health.TallyRow;
import java.util.ArrayList;
import java.util.List;

/**
 * What a target, a tag or a pool has seen lately, as the embedded store counts it: about 700 bytes, a pool's 2.5 KiB.
 * Guarded by the store's lock.
 */
final class Tally extends Tracked {
    /** What is usual forgets half of itself in a quarter of an hour. */
    private static final double HALF_LIFE_MICROS = 900_000_000;

    /** But where little happens, time alone makes nobody forget the last hundred outcomes. */
    private static final double KEPT = 100;

    private static final float TYPICAL_NEWEST = 1f / 4;

    /** It is made to forget so often: a power is dear. */
    private static final long FADE_MICROS = 1_000_000;

    final long id;
    long guiltySinceMicros;
    private final long[] entries;
    private final long[] timesMicros;
    private int next;
    private int filled;
    private final long[] steps = new long[TallyRow.STEPS];
    private final long[] stepsOfGood = new long[TallyRow.STEPS];
    private long newestStep;
    private double usual;
    private double usualUnreached;
    private double usualFaults;
    private double usualCaptchas;
    private long usualAtMicros;
    /** What successes take through all addresses; 0 where unknown. */
    private float typicalMicros;

    Tally(long id, int remembered, long nowMicros) {
        this.id = id;
        this.entries = new long[remembered];
        this.timesMicros = new long[remembered];
        this.newestStep = stepOf(nowMicros);
        this.usualAtMicros = nowMicros;
    }

    static long stepOf(long micros) {
        return Math.floorDiv(micros, TallyRow.STEP_MICROS);
    }

    /**
     * @param good whether address and cell were without failure before: only then does the outcome speak for what is usual
     */
    void add(long entry, Sign sign, boolean good, long nowMicros) {
        entries[next] = entry;
        timesMicros[next] = nowMicros;
        next = (next + 1) % entries.length;
        filled = Math.min(entries.length, filled + 1);
        int unreached = sign == Sign.UNREACHED ? 1 : 0;
        int fault = sign.failed() ? 1 : 0;
        int captcha = sign == Sign.CAPTCHA ? 1 : 0;
        roll(nowMicros);
        int place = Math.floorMod(newestStep, TallyRow.STEPS);
        if ((steps[place] & 0xffff) < 0xffff) {
            steps[place] += TallyRow.step(1, unreached, fault, captcha);
            stepsOfGood[place] += good ? TallyRow.step(1, unreached, fault, captcha) : 0;
        }
        if (good && guiltySinceMicros == 0) {
            fade(nowMicros);
            usual++;
            usualUnreached += unreached;
            usualFaults += fault;
            usualCaptchas += captcha;
        }
    }

    /**
     * A success took so long; how many times what is typical that is.
     *
     * <p>What is typical moves a quarter of the way, and no outcome counts for more than 1.6 times or half of it: within half
     * a dozen outcomes it has followed a site that is slow for all, and a third of slow addresses moves it by less than half.
     */
    float took(long micros) {
        if (typicalMicros == 0) {
            typicalMicros = Math.max(1, micros);
        }
        float step = Math.max(0.5f, Math.min(1.6f, micros / typicalMicros)) - 1;
        typicalMicros = Math.max(1, typicalMicros + TYPICAL_NEWEST * step * typicalMicros);
        return micros / typicalMicros;
    }

    private void roll(long nowMicros) {
        long step = stepOf(nowMicros);
        for (long s = Math.max(newestStep + 1, step - TallyRow.STEPS + 1); s <= step; s++) {
            steps[Math.floorMod(s, TallyRow.STEPS)] = 0;
            stepsOfGood[Math.floorMod(s, TallyRow.STEPS)] = 0;
        }
        newestStep = Math.max(newestStep, step);
    }

    private void fade(long nowMicros) {
        if (nowMicros - usualAtMicros < FADE_MICROS) {
            return;
        }
        if (usual > KEPT) {
            double byTime = StrictMath.pow(2, -(nowMicros - usualAtMicros) / HALF_LIFE_MICROS);
            double factor = Math.max(byTime, KEPT / usual);
            usual *= factor;
            usualUnreached *= factor;
            usualFaults *= factor;
            usualCaptchas *= factor;
        }
        usualAtMicros = nowMicros;
    }

    /** What was seen before an acquittal is held against nobody. */
    void judged(boolean guilty, long nowMicros) {
        guiltySinceMicros = guilty ? nowMicros : 0;
        if (!guilty) {
            filled = 0;
        }
    }

    /** Nobody has asked for it for long, and nobody is held guilty by it. */
    boolean forgettable(long nowMicros, long idleMicros) {
        // One that was acquitted remembers no outcomes, and still what is usual.
        long lastMicros = filled == 0 ? usualAtMicros : timesMicros[Math.floorMod(next - 1, entries.length)];
        return guiltySinceMicros == 0 && nowMicros - lastMicros > idleMicros;
    }

    StoreSnapshot.TallyState save() {
        List<Long> savedEntries = new ArrayList<>(filled);
        List<Long> savedTimes = new ArrayList<>(filled);
        for (int age = filled - 1; age >= 0; age--) {
            int place = Math.floorMod(next - 1 - age, entries.length);
            savedEntries.add(entries[place]);
            savedTimes.add(timesMicros[place]);
        }
        List<Long> savedSteps = new ArrayList<>(steps.length);
        List<Long> savedGood = new ArrayList<>(steps.length);
        for (int age = 0; age < steps.length; age++) {
            savedSteps.add(steps[Math.floorMod(newestStep - age, steps.length)]);
            savedGood.add(stepsOfGood[Math.floorMod(newestStep - age, steps.length)]);
        }
        return new StoreSnapshot.TallyState(
                id,
                guiltySinceMicros,
                savedEntries,
                savedTimes,
                savedSteps,
                savedGood,
                newestStep,
                usual,
                usualUnreached,
                usualFaults,
                usualCaptchas,
                usualAtMicros,
                typicalMicros);
    }

    /** Takes the place of a fresh tally's state. */
    void load(StoreSnapshot.TallyState saved) {
        guiltySinceMicros = saved.guiltySinceMicros();
        filled = saved.entries().size();
        next = filled % entries.length;
        for (int i = 0; i < filled; i++) {
            entries[i] = saved.entries().get(i);
            timesMicros[i] = saved.timesMicros().get(i);
        }
        newestStep = saved.newestStep();
        for (int age = 0; age < steps.length; age++) {
            steps[Math.floorMod(newestStep - age, steps.length)] = saved.steps().get(age);
            stepsOfGood[Math.floorMod(newestStep - age, steps.length)] =
                    saved.stepsOfGood().get(age);
        }
        usual = saved.usual();
        usualUnreached = saved.usualUnreached();
        usualFaults = saved.usualFaults();
        usualCaptchas = saved.usualCaptchas();
        usualAtMicros = saved.usualAtMicros();
        typicalMicros = saved.typicalMicros();
    }

    TallyRow row(long nowMicros) {
        roll(nowMicros);
        long[] newestFirst = new long[filled];
        long[] times = new long[filled];
        int place = next;
        for (int age = 0; age < filled; age++) {
            place = (place == 0 ? entries.length : place) - 1;
            newestFirst[age] = entries[place];
            times[age] = timesMicros[place];
        }
        return new TallyRow(
                id,
                guiltySinceMicros,
                newestFirst,
                times,
                newestFirst(steps),
                newestFirst(stepsOfGood),
                newestStep,
                usual,
                usualUnreached,
                usualFaults,
                usualCaptchas);
    }

    private long[] newestFirst(long[] counts) {
        long[] ordered = new long[counts.length];
        int place = Math.floorMod(newestStep, counts.length);
        for (int i = 0; i < ordered.length; i++) {
            ordered[i] = counts[place];
            place = (place == 0 ? counts.length : place) - 1;
        }
        return ordered;
    }
}
