package io.paceline.scale;

/**
 * Stops a fleet from burning attempts while most of them fail.
 *
 * <pre>
 * state  | under 8 attempts | up to 10 % fail        | 10 to 50 %   | above 50 %
 * closed | stay             | stay                   | open         | open, halve
 * open   | stay             | third in a row: closed | no growth    | halve once a minute, down to the floor
 * </pre>
 *
 * The floor is one worker, or the configured minimum: somebody has to find out that it is over. Worker deaths, 429s and
 * errors of the target are other classes and never open it.
 *
 * @param cap most workers while open
 * @param halvedMicros when it halved last
 * @param goodPeriods good periods in a row while open
 */
record Breaker(boolean open, int cap, long halvedMicros, int goodPeriods) {

    static final Breaker CLOSED = new Breaker(false, Integer.MAX_VALUE, Long.MIN_VALUE / 2, 0);

    private static final double NO_GROWTH_ABOVE = 0.10;
    private static final double HALVE_ABOVE = 0.50;
    /** One failure among nine attempts is a share above 10 % and no sign of anything. */
    private static final int FEWEST_FAILURES = 2;

    private static final int GOOD_PERIODS_TO_CLOSE = 3;

    Breaker step(History.Failures failures, int current, int min, long nowMicros) {
        if (!failures.enough()) {
            return this;
        }
        double share = failures.share();
        if (share > HALVE_ABOVE) {
            return halved(current, Math.max(1, min), nowMicros);
        }
        if (share > NO_GROWTH_ABOVE && failures.failed() >= FEWEST_FAILURES) {
            return new Breaker(true, open ? Math.min(cap, current) : current, halvedMicros, 0);
        }
        if (!open || goodPeriods + 1 >= GOOD_PERIODS_TO_CLOSE) {
            return CLOSED;
        }
        return new Breaker(true, cap, halvedMicros, goodPeriods + 1);
    }

    private Breaker halved(int current, int floor, long nowMicros) {
        int held = open ? Math.min(cap, current) : current;
        if (nowMicros - halvedMicros < Micros.MINUTE) {
            return new Breaker(true, held, halvedMicros, 0);
        }
        return new Breaker(true, Math.max(floor, held / 2), nowMicros, 0);
    }

    Breaker shifted(long micros) {
        return new Breaker(open, cap, halvedMicros + micros, goodPeriods);
    }

    String toText() {
        return open + "," + cap + "," + halvedMicros + "," + goodPeriods;
    }

    static Breaker parse(String text) {
        String[] p = text.split(",");
        return new Breaker(
                Boolean.parseBoolean(p[0]), Integer.parseInt(p[1]), Long.parseLong(p[2]), Integer.parseInt(p[3]));
    }
}
