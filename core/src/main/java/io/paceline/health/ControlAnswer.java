package io.paceline.health;

import java.util.Objects;

/**
 * What came of asking one control URL, through an address or directly.
 *
 * @param kind how it ended
 * @param status the HTTP status; 0 where there was none
 * @param latencyMicros from the first octet sent to the head of the answer; negative where none came
 * @param detail a few words for people: {@code 204 in 83 ms}, {@code timed out}; never credentials
 */
public record ControlAnswer(Kind kind, int status, long latencyMicros, String detail) {

    /** How it ended. */
    public enum Kind {
        /** A 2xx; over https the certificate and the host's name were right. */
        PASSED,
        /** Somebody answered, but no 2xx: the URL itself, or a proxy with a mind of its own. */
        ANSWERED,
        /** No connection, no answer in time, a broken one, a certificate that is not the URL's, a gateway's own error. */
        SILENT,
        /** The upstream proxy refused our credentials. */
        CREDENTIALS_REFUSED
    }

    public ControlAnswer {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(detail, "detail");
    }

    public boolean passed() {
        return kind == Kind.PASSED;
    }

    public static ControlAnswer passed(int status, long latencyMicros) {
        return new ControlAnswer(
                Kind.PASSED, status, latencyMicros, status + " in " + Math.round(latencyMicros / 1e3) + " ms");
    }

    public static ControlAnswer answered(int status, long latencyMicros) {
        return new ControlAnswer(Kind.ANSWERED, status, latencyMicros, "answered " + status);
    }

    public static ControlAnswer silent(String detail) {
        return new ControlAnswer(Kind.SILENT, 0, -1, detail);
    }

    public static ControlAnswer credentialsRefused() {
        return new ControlAnswer(Kind.CREDENTIALS_REFUSED, 407, -1, "credentials refused");
    }
}
