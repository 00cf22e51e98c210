package io.paceline.service.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The journal cannot be kept in this folder; the message is one sentence for a person. */
public final class JournalException extends IOException {
    private static final long serialVersionUID = 1L;

    JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
