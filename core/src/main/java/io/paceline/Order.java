package io.paceline;

import io.paceline.health.Hold;
import io.paceline.health.Hold.Ban;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants done with an address. Every order may be repeated: it says how things shall be, not what to change.
 *
 * @param address an {@link Address#id()}, in whatever pools it is
 * @param target a URL, host or configured name: the ban is about this target alone; null for the address as a whole
 * @param lasting how long the ban lasts; null for until it is lifted
 * @param reason why, for logs and the list of addresses; may be empty
 */
public record Order(
        Verb verb,
        String address,
        @Nullable String target,
        @Nullable Duration lasting,
        String reason) {

    /** The words of the API. */
    public enum Verb {
        /** Sets it aside; its sessions are paused. */
        FREEZE,
        THAW,
        /** Takes it out; its sessions end. */
        BAN,
        UNBAN,
        /** Gives it nothing new; what it has runs out. */
        DRAIN,
        UNDRAIN;

        /** The snake_case word used in JSON and logs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether it may be about one target alone. */
        public boolean takesTarget() {
            return this == BAN || this == UNBAN;
        }
    }

    /** What became of an order. */
    public enum Result {
        /** It is so now. */
        DONE,
        /** It was so before. */
        ALREADY,
        /** No pool has such an address. */
        UNKNOWN_ADDRESS
    }

    public Order {
        Objects.requireNonNull(verb, "verb");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(reason, "reason");
        if (target != null && !verb.takesTarget()) {
            throw new IllegalArgumentException(
                    verb.word() + " is about the whole address: leave the target out, or ban it there");
        }
        if (lasting != null && verb != Verb.BAN) {
            throw new IllegalArgumentException("only a ban ends by itself: leave the duration out");
        }
        if (lasting != null && (lasting.isZero() || lasting.isNegative())) {
            throw new IllegalArgumentException("a ban's duration " + lasting + " is not above 0");
        }
    }

    /** An order about a whole address, without a reason. */
    public static Order of(Verb verb, String address) {
        return new Order(verb, address, null, null, "");
    }

    /** Without the target: as it came, it may be a URL with a password. */
    @Override
    public String toString() {
        return verb.word() + " " + address + (target == null ? "" : " on one target")
                + (lasting == null ? "" : " for " + lasting) + (reason.isEmpty() ? "" : ": " + reason);
    }

    /** What is set on the subject once the order is carried out. */
    Hold applied(Hold before, long nowMicros) {
        return switch (verb) {
            case FREEZE -> before.withFrozen(true);
            case THAW -> before.withFrozen(false);
            case BAN -> before.withBan(new Ban(reason, lasting == null ? 0 : nowMicros + lasting.toNanos() / 1_000));
            case UNBAN -> before.withBan(null);
            case DRAIN -> before.withDraining(true);
            case UNDRAIN -> before.withDraining(false);
        };
    }

    /** One sentence for logs and events. */
    String sentence() {
        return verb.word() + " ordered" + (reason.isEmpty() ? "" : ": " + reason);
    }
}
