package io.paceline.redis;

/** Redis did not do what the store asked for. The message says which server, and never a password. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
