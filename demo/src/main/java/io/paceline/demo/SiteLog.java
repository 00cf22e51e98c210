package io.paceline.demo;

import java.util.HashMap;
import java.util.Map;

/**
 * What a site saw: the truth of the table. A rotation is a request of a session from another address than the one before.
 * Thread-safe.
 */
final class SiteLog {
    private final Map<String, String> addressOfSession = new HashMap<>();
    private long requests;
    private long captchas;
    private long tooMany;
    private long rotations;

    /** Counts so far. */
    record Counts(long requests, long captchas, long tooMany, long rotations) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    requests + other.requests,
                    captchas + other.captchas,
                    tooMany + other.tooMany,
                    rotations + other.rotations);
        }
    }

    /** A request came; {@code session} is empty where it belongs to none. */
    synchronized void arrived(String address, String session) {
        requests++;
        if (!session.isEmpty()) {
            String before = addressOfSession.put(session, address);
            if (before != null && !before.equals(address)) {
                rotations++;
            }
        }
    }

    synchronized void captcha() {
        captchas++;
    }

    synchronized void tooMany() {
        tooMany++;
    }

    synchronized Counts counts() {
        return new Counts(requests, captchas, tooMany, rotations);
    }
}
