package io.paceline;

import io.paceline.pace.hint.Hint;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, as far as pace and health are concerned.
 *
 * @param kind one of the classes of the contract
 * @param latencyMicros from sending to the first byte of the answer; negative where unknown
 * @param status the HTTP status; 0 where there was none
 * @param bytes body octets received; negative where unknown
 * @param authRefused with {@link Kind#PROXY_ERROR}: the upstream refused our credentials, so no retry can help
 * @param hint what the answer asked of our pace; null where it was not looked at
 */
public record Outcome(
        Kind kind,
        long latencyMicros,
        int status,
        long bytes,
        boolean authRefused,
        @Nullable Hint hint) {

    /** The classes of an outcome; what each one speaks about is in {@link #blames()}. */
    public enum Kind {
        /** The site answered as hoped. */
        SUCCESS(Blames.NOBODY),
        /** No connection through the address: refused, unreachable, reset before an answer. */
        CONNECT_ERROR(Blames.ADDRESS),
        /** No answer in time; who was slow is not known yet, so it counts on the cell. */
        TIMEOUT(Blames.CELL),
        /** The upstream proxy answered with an error of its own. */
        PROXY_ERROR(Blames.ADDRESS),
        /** The site refused this address. */
        BLOCKED(Blames.CELL),
        /** The site asked this address for a captcha or another challenge. */
        CAPTCHA(Blames.CELL),
        /** 429, or 503 with Retry-After: touches no health. */
        RATE_LIMITED(Blames.NOBODY),
        /** 5xx of the site. */
        TARGET_ERROR(Blames.TARGET),
        /** An answer that says nothing about address or site. */
        NEUTRAL(Blames.NOBODY),
        /** The caller gave up; an unused permit gives its slot back. */
        CANCELED(Blames.NOBODY);

        private final Blames blames;

        Kind(Blames blames) {
            this.blames = blames;
        }

        public Blames blames() {
            return blames;
        }

        /** True where the outcome enters the windows of address and cell at all. */
        public boolean trains() {
            return this == SUCCESS || blames == Blames.ADDRESS || blames == Blames.CELL;
        }

        /** The snake_case word used in JSON, metrics and records. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The kind written as the word given; empty for any other word. */
        public static Optional<Kind> ofWord(String word) {
            for (Kind kind : VALUES) {
                if (kind.word().equals(word)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }

        private static final Kind[] VALUES = values();
    }

    /** Whom a failure speaks about. */
    public enum Blames {
        NOBODY,
        ADDRESS,
        CELL,
        TARGET
    }

    public Outcome {
        Objects.requireNonNull(kind, "kind");
        if (authRefused && kind != Kind.PROXY_ERROR) {
            throw new IllegalArgumentException("authRefused belongs to proxy_error, not to " + kind.word());
        }
    }

    /** An outcome whose answer was not looked at for hints. */
    public Outcome(Kind kind, long latencyMicros, int status, long bytes, boolean authRefused) {
        this(kind, latencyMicros, status, bytes, authRefused, null);
    }

    /** The same outcome with what the answer asked of our pace. */
    public Outcome asking(@Nullable Hint asked) {
        return new Outcome(kind, latencyMicros, status, bytes, authRefused, asked);
    }

    /** The wait that the site asks for; negative where it does not say. */
    public long hintedWaitMicros() {
        return hint == null ? -1 : hint.knownWaitMicros();
    }

    /** An outcome of which only the class is known. */
    public static Outcome of(Kind kind) {
        return new Outcome(kind, -1, 0, -1, false);
    }

    /** An outcome with the time that the first byte of the answer took. */
    public static Outcome of(Kind kind, long latencyMicros) {
        return new Outcome(kind, latencyMicros, 0, -1, false);
    }

    /** The upstream proxy refused our credentials. */
    public static Outcome credentialsRefused() {
        return new Outcome(Kind.PROXY_ERROR, -1, 407, -1, true);
    }
}
