package io.paceline.pace;

/** A target that no request can be made for; the message says what is wrong with it and what to write instead. */
public final class BadTargetException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final boolean forbidden;

    public BadTargetException(String message) {
        this(message, false);
    }

    private BadTargetException(String message, boolean forbidden) {
        super(message);
        this.forbidden = forbidden;
    }

    /** A target that hides an address behind an odd spelling: to be refused as forbidden, not as malformed. */
    static BadTargetException forbidden(String message) {
        return new BadTargetException(message, true);
    }

    /**
     * True where the target is an address in a spelling that gets round checks, such as {@code 2130706433} or
     * {@code 127.1}: the answer is then {@code target_forbidden} (403) rather than malformed (400).
     */
    public boolean isForbidden() {
        return forbidden;
    }
}
