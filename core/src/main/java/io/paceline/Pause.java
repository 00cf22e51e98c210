package io.paceline;

import io.paceline.pace.PaceRow;
import io.paceline.pace.hint.Hint;
import org.jspecify.annotations.Nullable;

/**
 * A pause of a target, or of one address there.
 *
 * @param target its name
 * @param addressId the one address that pauses; null where the whole fleet does
 * @param row the target's pace after it
 * @param hint what the site asked for; null where nobody looked
 * @param refused false where the site announced it on a good answer
 * @param nowMicros when it began
 */
public record Pause(
        String target,
        @Nullable String addressId,
        PaceRow row,
        @Nullable Hint hint,
        boolean refused,
        long nowMicros) {

    /** In one line: {@code paused example.com for 60 s: Retry-After "60" (step 1)}. */
    public String line() {
        String who = addressId == null ? target : addressId + " on " + target;
        return "paused " + who + " for " + (row.blockedUntilMicros() - nowMicros + 999_999) / 1_000_000 + " s: " + why()
                + (refused ? " (step " + row.step() + ")" : " (announced)");
    }

    private String why() {
        if (hint == null) {
            return "refused without a hint, own back-off";
        }
        String note = hint.note() == null ? "" : hint.note();
        if (hint.source() == null) {
            return note.isEmpty() ? "refused without a hint, own back-off" : note + ", own back-off";
        }
        return hint.source() + " \"" + hint.value() + "\"" + (note.isEmpty() ? "" : ", which " + note);
    }
}
