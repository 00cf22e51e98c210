package io.paceline.service;

import org.jspecify.annotations.Nullable;

/** The surroundings do not let the service start; the message is one sentence for a person. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What could not start. */
    public enum Part {
        API,
        PROXY,
        RECORD,
        DATA,
        STORE,
        JOURNAL
    }

    private final Part part;

    StartException(Part part, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.part = part;
    }

    public Part part() {
        return part;
    }
}
