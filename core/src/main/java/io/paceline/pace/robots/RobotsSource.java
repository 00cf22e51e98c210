package io.paceline.pace.robots;

import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import java.util.concurrent.CompletionStage;

/** Fetches one URL, without following where it redirects to. Thread-safe; never blocks. */
@FunctionalInterface
public interface RobotsSource {
    /**
     * An answer of a site.
     *
     * @param body at most {@link Robots#MAX_OCTETS} and one octet more of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Reply(int status, FieldValues fields, byte[] body) {}

    /** The answer; the stage fails where there was none, with a message that says why. */
    CompletionStage<Reply> get(TargetUrl url);
}
