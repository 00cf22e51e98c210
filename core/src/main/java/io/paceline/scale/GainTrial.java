package io.paceline.scale;

/**
 * After growing: do the new workers get more done? If not, the provider is full, and more workers only slow each other.
 *
 * <p>Without it a full provider runs away with the fleet: tasks slow down, the measured seconds per task rise, and a
 * longer task asks for more workers.
 *
 * <pre>
 * phase   | growth                        | time to judge                       | outcome
 * free    | running, from this point      |                                     |
 * running | part of the trial             | gain, queue halved, no real growth  | free
 *         |                               | no gain                             | held, a quarter lower
 * held    | refused                       | as much done as before, tasks wait  | held, a quarter lower still
 *         |                               | less done, or nothing waits         | free, but cautious
 * </pre>
 *
 * A gain is a quarter of what was promised: completions in proportion to busy slots. Small steps are judged together,
 * once the busy slots have grown by a quarter. Each failure in a row doubles the wait (300 s at first, an hour at most),
 * and after one the next growth is by a quarter only, with none on top until it is judged.
 *
 * @param from workers before the growth; while held, the most that may run; while free, a count that was worth it
 * @param busyBefore busy slots before it
 * @param rateBefore good completions a second before it; while held, those of the larger fleet
 * @param backlogBefore tasks that waited before it
 * @param sinceMicros when it began
 * @param untilMicros when to judge, or when the wait is over
 * @param waitMicros how long the next wait will be
 */
record GainTrial(
        Phase phase,
        int from,
        double busyBefore,
        double rateBefore,
        int backlogBefore,
        long sinceMicros,
        long untilMicros,
        long waitMicros) {

    /** Where a trial stands. */
    enum Phase {
        FREE,
        RUNNING,
        HELD
    }

    private static final long FIRST_WAIT = 300 * Micros.SECOND;
    private static final long LONGEST_WAIT = Micros.HOUR;
    private static final double SHARE_OF_PROMISE = 0.25;
    private static final double PLAIN_GAIN = 0.6;
    private static final double SIGMAS = 3;

    /** Completions of busy slots come more evenly than chance: tasks whose length varies by half give 0.5, and some doubt. */
    private static final double IRREGULARITY = 0.7;

    private static final double GROWTH_TO_JUDGE = 1.25;
    private static final double STEP = 0.25;
    private static final double AS_MUCH = 0.9;

    /** A trial that has not grown enough to be judged by then is over. */
    private static final long LONGEST_TRIAL = 15 * Micros.MINUTE;

    /** And sooner where nothing may grow meanwhile. */
    private static final long LONGEST_CAUTIOUS = 5 * Micros.MINUTE;

    static final GainTrial FREE = free(FIRST_WAIT, 0);

    /** What is known at one step. */
    record Facts(long nowMicros, int current, int backlog, History history, Estimates estimates) {

        /** Long enough for new workers to start, finish their first tasks and be seen doing so. */
        long judgeAtMicros() {
            double seconds = estimates.startupSeconds() + 1.5 * estimates.serviceSeconds() + 60;
            return nowMicros + Math.min(Micros.of(seconds), LONGEST_TRIAL);
        }

        long startupMicros() {
            return Micros.of(estimates.startupSeconds());
        }

        /** Over the better part of a hold, so that chance does not decide. */
        double longRate() {
            return history.goodPerSecond(Math.max(4 * Micros.MINUTE, windowMicros()));
        }

        double rate() {
            return history.goodPerSecond(windowMicros());
        }

        /** Busy slots one task's time earlier: those that {@link #rate} comes from. */
        double busy() {
            return history.busySlots(windowMicros(), Micros.of(estimates.serviceSeconds()));
        }

        /** At least two minutes, and the time of one task. */
        private long windowMicros() {
            return Math.max(2 * Micros.MINUTE, Micros.of(estimates.serviceSeconds()));
        }

        /** Standard deviation of what is missing, were completions a Poisson stream: counts vary by their root. */
        double deviation(double rateBefore, double growth) {
            double seconds = Micros.seconds(windowMicros());
            return Math.sqrt(growth * growth * rateBefore * seconds + rate() * seconds) / seconds;
        }
    }

    private static GainTrial free(long waitMicros, int knownGood) {
        return new GainTrial(Phase.FREE, knownGood, 0, 0, 0, 0, 0, waitMicros);
    }

    /** Judges what is due to be judged. */
    GainTrial review(Facts facts) {
        if (phase == Phase.RUNNING && facts.nowMicros <= sinceMicros + facts.startupMicros()) {
            return measuredAgain(facts);
        }
        if (phase == Phase.FREE && facts.backlog == 0) {
            return FREE;
        }
        if (phase == Phase.FREE || facts.nowMicros < untilMicros) {
            return this;
        }
        return phase == Phase.HELD ? afterHold(facts) : judged(facts);
    }

    /** Until the first new worker is ready, all that is seen is still the old fleet, and the latest look is the best. */
    private GainTrial measuredAgain(Facts facts) {
        return new GainTrial(
                phase, from, facts.busy(), facts.rate(), backlogBefore, sinceMicros, untilMicros, waitMicros);
    }

    private GainTrial judged(Facts facts) {
        double growth = facts.busy() / busyBefore;
        double promised = rateBefore * (growth - 1);
        double gained = facts.rate() - rateBefore;
        boolean over = facts.nowMicros - sinceMicros > (cautious() ? LONGEST_CAUTIOUS : LONGEST_TRIAL);
        if (facts.backlog <= backlogBefore / 2 || facts.current <= from) {
            return free(waitMicros, facts.current);
        }
        if (growth < GROWTH_TO_JUDGE) {
            return over ? free(waitMicros, from) : this;
        }
        boolean shown = gained >= (cautious() ? SHARE_OF_PROMISE : PLAIN_GAIN) * promised;
        if (shown) {
            return free(waitMicros, facts.current);
        }
        if (cautious() ? over : missing(gained, promised, growth, facts)) {
            int back = cautious() ? from : Math.max(from, (int) (facts.current * (1 - STEP)));
            return held(back, facts.longRate(), facts.nowMicros + waitMicros, Math.min(LONGEST_WAIT, 2 * waitMicros));
        }
        return over ? free(waitMicros, from) : this;
    }

    /** The absence of a gain is not read out of chance: the promise must be out of reach of the figures, too. */
    private static boolean missing(double gained, double promised, double growth, Facts facts) {
        double doubt = SIGMAS * IRREGULARITY * facts.deviation(facts.rate() - gained, growth);
        return gained < SHARE_OF_PROMISE * promised && promised - gained > doubt;
    }

    /** A full provider does as much for fewer: go down until it shows. */
    private GainTrial afterHold(Facts facts) {
        boolean asMuch = facts.longRate() >= AS_MUCH * rateBefore;
        int fewer = (int) (from * (1 - STEP));
        if (!asMuch || facts.backlog == 0 || fewer < 1) {
            return free(waitMicros, (int) Math.ceil(from / (1 - STEP)));
        }
        return held(fewer, rateBefore, facts.nowMicros + FIRST_WAIT, waitMicros);
    }

    private static GainTrial held(int cap, double rate, long untilMicros, long waitMicros) {
        return new GainTrial(Phase.HELD, cap, 0, rate, 0, 0, untilMicros, waitMicros);
    }

    /** The most workers that may run now. */
    int cap(int current) {
        if (phase == Phase.HELD) {
            return from;
        }
        if (!cautious()) {
            return Integer.MAX_VALUE;
        }
        return phase == Phase.RUNNING ? current : Math.max(from, current + Math.max(1, (int) (current * STEP)));
    }

    /** The fleet grows now. */
    GainTrial grown(Facts facts) {
        if (phase != Phase.FREE || facts.busy() <= 0) {
            return this;
        }
        return new GainTrial(
                Phase.RUNNING,
                facts.current,
                facts.busy(),
                facts.rate(),
                facts.backlog,
                facts.nowMicros,
                facts.judgeAtMicros(),
                waitMicros);
    }

    private boolean cautious() {
        return waitMicros > FIRST_WAIT;
    }

    GainTrial shifted(long micros) {
        return new GainTrial(
                phase,
                from,
                busyBefore,
                rateBefore,
                backlogBefore,
                sinceMicros + micros,
                untilMicros + micros,
                waitMicros);
    }

    String toText() {
        return phase + "," + from + "," + busyBefore + "," + rateBefore + "," + backlogBefore + "," + sinceMicros + ","
                + untilMicros + "," + waitMicros;
    }

    static GainTrial parse(String text) {
        String[] p = text.split(",");
        return new GainTrial(
                Phase.valueOf(p[0]),
                Integer.parseInt(p[1]),
                Double.parseDouble(p[2]),
                Double.parseDouble(p[3]),
                Integer.parseInt(p[4]),
                Long.parseLong(p[5]),
                Long.parseLong(p[6]),
                Long.parseLong(p[7]));
    }
}
