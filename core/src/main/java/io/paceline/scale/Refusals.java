package io.paceline.scale;

/**
 * A fleet that says "no slot available" is full: that is a limit, never a reason to ask for more.
 *
 * <p>After a refusal nothing is started for a minute, doubling up to ten; a start that succeeds ends it.
 *
 * @param count refusals seen so far
 * @param untilMicros no starts before that time
 * @param waitMicros how long the next wait will be
 */
record Refusals(long count, long untilMicros, long waitMicros) {

    private static final long FIRST_WAIT = Micros.MINUTE;
    private static final long LONGEST_WAIT = 10 * Micros.MINUTE;

    static final Refusals NONE = new Refusals(0, Long.MIN_VALUE / 2, FIRST_WAIT);

    Refusals step(FleetView fleet, long nowMicros) {
        if (fleet.refusedStarts() > count) {
            return new Refusals(fleet.refusedStarts(), nowMicros + waitMicros, Math.min(LONGEST_WAIT, 2 * waitMicros));
        }
        boolean ended = fleet.refusedStarts() < count || nowMicros > untilMicros + LONGEST_WAIT;
        return ended ? new Refusals(fleet.refusedStarts(), untilMicros, FIRST_WAIT) : this;
    }

    boolean full(long nowMicros) {
        return nowMicros < untilMicros && untilMicros - nowMicros <= LONGEST_WAIT;
    }

    String toText() {
        return count + "," + untilMicros + "," + waitMicros;
    }

    static Refusals parse(String text) {
        String[] p = text.split(",");
        return new Refusals(Long.parseLong(p[0]), Long.parseLong(p[1]), Long.parseLong(p[2]));
    }
}
