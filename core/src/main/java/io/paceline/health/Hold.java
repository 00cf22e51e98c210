package io.paceline.health;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What people have set on an address or a cell, beside its state: judgement never changes it, and goes on beneath it.
 *
 * <p>The three are independent of each other, so that the end of a ban leaves alone who was frozen for another reason.
 *
 * <pre>
 *             new leases   its sessions   counts in the pool   ends
 * ----------  -----------  -------------  -------------------  ------------------------
 * frozen      none         are paused     no                   by thaw
 * banned      none         end            no                   by unban, or at its time
 * draining    none         go on          no                   by undrain
 * </pre>
 *
 * @param frozen set aside for a while
 * @param draining takes nothing new; what it has runs out
 * @param ban out by a person's verdict, or null
 */
public record Hold(
        boolean frozen, boolean draining, @Nullable Ban ban) {

    /** What {@link #word} can be. */
    public static final List<String> WORDS = List.of("frozen", "banned", "draining");

    /** Nobody has set anything. */
    public static final Hold NONE = new Hold(false, false, null);

    /**
     * A person's verdict.
     *
     * @param reason as the person wrote it; may be empty
     * @param untilMicros when it ends by itself; 0 for only when it is lifted
     */
    public record Ban(String reason, long untilMicros) {
        public Ban {
            Objects.requireNonNull(reason, "reason");
            if (untilMicros < 0) {
                throw new IllegalArgumentException("ban until " + untilMicros + " is negative");
            }
        }
    }

    public Hold withFrozen(boolean now) {
        return new Hold(now, draining, ban);
    }

    public Hold withDraining(boolean now) {
        return new Hold(frozen, now, ban);
    }

    public Hold withBan(@Nullable Ban now) {
        return new Hold(frozen, draining, now);
    }

    public boolean isNone() {
        return !frozen && !draining && ban == null;
    }

    public boolean banned() {
        return ban != null;
    }

    /** Nothing at all is leased, not even to sessions that are bound. */
    boolean closed() {
        return frozen || ban != null;
    }

    /** When the ban ends by itself; 0 where there is none, or it does not. */
    public long banUntilMicros() {
        return ban == null ? 0 : ban.untilMicros();
    }

    /** The ban's time is over: somebody must take it away. */
    public boolean banOver(long nowMicros) {
        return banUntilMicros() != 0 && nowMicros >= banUntilMicros();
    }

    /** The strictest that is set, as people read it; empty where nothing is. */
    public String word() {
        if (ban != null) {
            return "banned";
        }
        return frozen ? "frozen" : draining ? "draining" : "";
    }
}
