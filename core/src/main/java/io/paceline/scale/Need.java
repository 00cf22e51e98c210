package io.paceline.scale;

/**
 * How many slots the queue needs, from the place and age of its tasks; the planner's arithmetic.
 *
 * <p>A task at place p starts after p*s/n seconds with n slots (less one s, because n start at once). It may take what is
 * left of the wait target, less the time that new workers need to start. The largest demand of five places wins: an old
 * head with a short queue and a young tail of a long one are both seen.
 *
 * @param slots tasks that must run at once, a fraction where it falls so
 * @param why what made it so large
 */
record Need(double slots, String why) {

    /** Share of the wait target planned for; the rest is for what the plan does not know. */
    static final double TARGET_SHARE = 0.8;

    /** Share of the time to a deadline planned for. */
    static final double DEADLINE_SHARE = 0.9;

    /** Busier than this a queue only grows. */
    static final double UTILISATION = 0.95;

    /** Share of the target that the head must have waited before arrivals alone ask for slots; shorter waits pass by themselves. */
    static final double WAITS = 0.5;

    static final Need NONE = new Need(0, "nothing waits");

    /** So that no wait is longer than {@code sloSeconds}. */
    static Need forWait(int waiting, QueueAges ages, Estimates e, double sloSeconds) {
        if (waiting == 0) {
            return NONE;
        }
        double target = TARGET_SHARE * sloSeconds;
        double least = sloSeconds - target;
        Need need = NONE;
        for (int quarter = 0; quarter <= 4; quarter++) {
            double place = Math.max(1, waiting * quarter / 4.0);
            double left = Math.max(least, target - ages.at(quarter) - e.startupSeconds());
            need = need.orMore(
                    slotsFor(place, left, e),
                    (int) Math.ceil(place) + ". of " + waiting + " tasks has waited " + Text.one(ages.at(quarter))
                            + " s");
        }
        if (e.surging()) {
            double place = waiting + e.surgePerSecond() * e.startupSeconds();
            need = need.orMore(
                    slotsFor(place, Math.max(least, target - e.startupSeconds()), e), "arrivals have doubled");
        }
        if (ages.at(0) < WAITS * target) {
            return need;
        }
        return need.orMore(
                e.perSecond10() * e.serviceSeconds() / UTILISATION,
                "tasks wait, and " + Text.one(e.perSecond10() * 60) + " arrive a minute");
    }

    /** So that all that is here, and what arrives meanwhile, is done at the deadline. */
    static Need forDeadline(int waiting, int inFlight, Estimates e, double secondsLeft) {
        int tasks = waiting + inFlight;
        if (waiting == 0) {
            return NONE;
        }
        double left = DEADLINE_SHARE * secondsLeft - e.serviceSeconds();
        double work = tasks * e.serviceSeconds() / Math.max(e.serviceSeconds(), left);
        return NONE.orMore(
                work,
                tasks + " tasks of " + Text.one(e.serviceSeconds()) + " s are due in " + Text.one(secondsLeft / 60)
                        + " min");
    }

    /** Never more slots than tasks to use them, those that come while workers start included. */
    Need usable(int waiting, int inFlight, Estimates e) {
        double tasks = waiting + inFlight + e.perSecond10() * e.startupSeconds();
        return slots <= tasks ? this : new Need(tasks, why + ", but only that many tasks are here");
    }

    /** Never more slots than the rate rules feed. */
    Need permitted(double perSecond, Estimates e) {
        double fed = perSecond * e.serviceSeconds() / UTILISATION;
        return slots <= fed ? this : new Need(fed, "the rate rules let no more through");
    }

    private static double slotsFor(double place, double leftSeconds, Estimates e) {
        double s = e.serviceSeconds();
        return place * s / (leftSeconds + s);
    }

    private Need orMore(double other, String otherWhy) {
        return other > slots ? new Need(other, otherWhy) : this;
    }
}
