package io.paceline.pace;

/** A target that no request can be made for; the message says what is wrong with it and what to write instead. */
public final class BadTargetException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public BadTargetException(String message) {
        super(message);
    }
}
