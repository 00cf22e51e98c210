package io.paceline.service.events;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One decision worth a person's look.
 *
 * @param id grows by one from event to event of this process
 * @param atMicros when
 * @param pool whose; null where it concerns none
 * @param address an id; null where it concerns none
 * @param target a target's name, or the host that was asked for; null where it concerns none
 * @param tenant whose request it was about; empty for what concerns everybody, or the only tenant
 * @param what one word or two: {@code quarantined}, {@code no_address}, {@code started}
 * @param reason one sentence with the figures
 * @param details more, by name, in the order of the log
 */
public record Event(
        long id,
        long atMicros,
        Kind kind,
        @Nullable String pool,
        @Nullable String address,
        @Nullable String target,
        String tenant,
        String what,
        String reason,
        Map<String, String> details) {

    /** What sort of decision it was. */
    public enum Kind {
        /** An address or a cell changed its standing. */
        TRANSITION,
        /** Refusals of a sort that a healthy fleet does not see. */
        REFUSAL,
        /** A session ended, or was told to wait. */
        SESSION,
        /** Blame has found somebody guilty, or let him go. */
        VERDICT,
        /** A control URL was found dead, or alive again. */
        CONTROL_URL,
        /** The store failed. */
        STORE,
        /** Configuration in force. */
        CONFIGURATION;

        /** The snake_case word used in JSON. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Event {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(reason, "reason");
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
