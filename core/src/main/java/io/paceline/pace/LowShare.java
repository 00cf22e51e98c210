package io.paceline.pace;

/**
 * The rate that requests of low priority have together: four fifths of the rule's. One in five permits is left to the
 * others, however many of low priority wait.
 */
final class LowShare {
    private static final int PARTS = 5;
    private static final int OF_THESE = 4;

    private LowShare() {}

    /** Fewer in the window where that leaves whole permits, else the same in a longer window. Never above the rule's own. */
    static LimitSpec of(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra gcra) {
            return new LimitSpec.Gcra(longer(gcra.intervalMicros()), Math.max(1, fewer(gcra.burst())));
        }
        if (spec instanceof LimitSpec.Window window) {
            return window.limit() < PARTS
                    ? new LimitSpec.Window(window.limit(), longer(window.windowMicros()))
                    : new LimitSpec.Window(fewer(window.limit()), window.windowMicros());
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return new LimitSpec.Calendar(
                    Math.max(1, fewer(calendar.limit())), calendar.windowMicros(), calendar.zone());
        }
        return spec;
    }

    private static int fewer(int count) {
        return (int) ((long) count * OF_THESE / PARTS);
    }

    private static long longer(long micros) {
        return (micros * PARTS + OF_THESE - 1) / OF_THESE;
    }
}
