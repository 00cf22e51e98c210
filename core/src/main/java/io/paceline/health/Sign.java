package io.paceline.health;

/** What one outcome tells a {@link TallyRow}: whether it worked, and if not, how far the request came. */
public enum Sign {
    /** Says nothing. */
    NONE(0),
    /** The site answered as hoped. */
    SUCCESS(1),
    /** No answer: no connection, an error of the upstream proxy, a time-out. */
    UNREACHED(2),
    /** An answer that nobody wants: a block, an error of the site. */
    REFUSED(3),
    /** A captcha or another challenge. */
    CAPTCHA(4);

    private static final Sign[] VALUES = values();

    /** How it is packed. */
    final int code;

    Sign(int code) {
        this.code = code;
    }

    static Sign of(int code) {
        return VALUES[code];
    }

    public boolean failed() {
        return this == UNREACHED || this == REFUSED || this == CAPTCHA;
    }
}
