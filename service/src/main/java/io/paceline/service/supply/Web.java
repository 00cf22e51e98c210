package io.paceline.service.supply;

import io.paceline.service.config.Secret;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Asks a URL for its content. Thread-safe; nothing blocks. */
public interface Web {

    /**
     * What is asked.
     *
     * @param url may hold a key, in its path or its query, or user and password
     * @param etag the version that is known, or null
     * @param lastModified when that was made, in the words of the server, or null
     */
    record Ask(Secret url, @Nullable String etag, @Nullable String lastModified) {}

    /**
     * A final answer: no redirect, whatever its status.
     *
     * @param etag its version, or null
     * @param lastModified when it was made, in the words of the server, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares two of them
    record Answer(
            int status,
            byte[] body,
            @Nullable String etag,
            @Nullable String lastModified) {}

    /** There was no answer, or none that may be used. The message shows nothing of the URL. */
    final class WebException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean neverAsked;

        /** @param neverAsked true where the request certainly reached nobody */
        public WebException(String message, boolean neverAsked) {
            super(message);
            this.neverAsked = neverAsked;
        }

        boolean neverAsked() {
            return neverAsked;
        }
    }

    /** @return fails with {@link WebException} alone */
    CompletionStage<Answer> get(Ask ask);
}
