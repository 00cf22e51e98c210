package io.paceline.sim.pace;

/**
 * Counts served and refused requests in slices of ten seconds, and says when a pace has settled after a change: the middle
 * of the first window in which at least 85 % of the new limit was used and at most 5 % were refused. A window is two
 * minutes, or forty permits where that is longer.
 */
final class Tally {
    private static final long SLICE_MICROS = 10_000_000;
    private static final double LEAST_USED = 0.85;
    private static final double MOST_REFUSED = 0.05;
    private static final double WINDOW_SECONDS = 120;
    private static final double WINDOW_PERMITS = 40;

    private final Scenario scenario;
    private final int[] served;
    private final int[] refused;

    Tally(Scenario scenario) {
        this.scenario = scenario;
        int slices = (int) (scenario.endMicros() / SLICE_MICROS) + 1;
        served = new int[slices];
        refused = new int[slices];
    }

    void count(long atMicros, boolean good) {
        int slice = (int) Math.min(served.length - 1, atMicros / SLICE_MICROS);
        (good ? served : refused)[slice]++;
    }

    RunResult result() {
        int first = (int) (Scenario.CHANGE_MICROS / SLICE_MICROS);
        int last = (int) (scenario.endMicros() / SLICE_MICROS);
        double rate = scenario.rateAt(Scenario.CHANGE_MICROS);
        double good = sum(served, first, last);
        double bad = sum(refused, first, last);
        double seconds = (last - first) * (SLICE_MICROS / 1e6);
        return new RunResult(good / (rate * seconds), bad / Math.max(1, good + bad), settled(first, last, rate));
    }

    private double settled(int first, int last, double rate) {
        if (scenario.steady()) {
            return Double.NaN;
        }
        int window = (int) Math.ceil(Math.max(WINDOW_SECONDS, WINDOW_PERMITS / rate) * 1e6 / SLICE_MICROS);
        for (int from = first; from + window <= last; from++) {
            double good = sum(served, from, from + window);
            double bad = sum(refused, from, from + window);
            double seconds = window * (SLICE_MICROS / 1e6);
            if (good >= LEAST_USED * rate * seconds && bad <= MOST_REFUSED * (good + bad)) {
                return (from - first + window / 2.0) * (SLICE_MICROS / 1e6);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static double sum(int[] counts, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += counts[i];
        }
        return sum;
    }
}
