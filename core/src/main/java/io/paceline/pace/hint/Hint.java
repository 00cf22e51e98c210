package io.paceline.pace.hint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one answer of a site asks of our pace.
 *
 * @param ask nothing, a wait of known length, or a wait whose length we must choose
 * @param waitMicros from the answer on; above 0 with {@link Ask#WAIT}, else 0
 * @param source the field that was gone by; null where none was
 * @param value what stood in it, cut and made printable, for a log; null without a source
 * @param note what was put right or passed over, for a log; null where all was as it should be
 * @param capped true where the site asked for more than the cap
 */
public record Hint(
        Ask ask,
        long waitMicros,
        @Nullable String source,
        @Nullable String value,
        @Nullable String note,
        boolean capped) {

    /** What is asked. */
    public enum Ask {
        /** Go on. */
        NOTHING,
        /** Slow down: the site does not say, or not usefully, for how long; our own back-off applies. */
        BACK_OFF,
        /** Come back after {@link Hint#waitMicros}. */
        WAIT;

        /** The snake_case word used in JSON. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Hint {
        if ((ask == Ask.WAIT) != (waitMicros > 0)) {
            throw new IllegalArgumentException("waitMicros " + waitMicros + " with ask " + ask);
        }
    }

    /** The wait asked for, or -1 where none is known. */
    public long knownWaitMicros() {
        return ask == Ask.WAIT ? waitMicros : -1;
    }
}
