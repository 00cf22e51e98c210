package io.paceline.scale;

/**
 * Who may scale: one leader at a time, by a lock with a life time and a fencing number.
 *
 * <pre>
 * the lock            | asked by its holder        | asked by another
 * free or run out     | taken, number + 1          | taken, number + 1
 * held                | life renewed, same number  | refused: watch, and ask again when it runs out
 * </pre>
 *
 * A leader that stood still may not know that it was replaced; so each order to the fleet carries the number, and the
 * fleet refuses those below the highest it has seen ({@link #admits}). Pure: the lock's store does the compare-and-set.
 *
 * @param holder who leads; empty where nobody ever did
 * @param fence grows by one with each change of leader
 * @param untilMicros when it runs out, in the store's time
 */
public record LeaderLease(String holder, long fence, long untilMicros) {

    public static final LeaderLease FREE = new LeaderLease("", 0, Long.MIN_VALUE);

    /** What the lock becomes when {@code who} asks for it; unchanged where another holds it. */
    public LeaderLease claim(String who, long nowMicros, long ttlMicros) {
        if (nowMicros >= untilMicros) {
            return new LeaderLease(who, fence + 1, nowMicros + ttlMicros);
        }
        return holder.equals(who) ? new LeaderLease(who, fence, nowMicros + ttlMicros) : this;
    }

    /** Gives the lock back, so that another need not wait for its end. */
    public LeaderLease resign(String who, long nowMicros) {
        return ledBy(who, nowMicros) ? new LeaderLease(holder, fence, nowMicros) : this;
    }

    public boolean ledBy(String who, long nowMicros) {
        return holder.equals(who) && nowMicros < untilMicros;
    }

    /** Whether a fleet that has seen {@code highestFence} may still carry out an order with {@code orderFence}. */
    public static boolean admits(long highestFence, long orderFence) {
        return orderFence >= highestFence;
    }
}
