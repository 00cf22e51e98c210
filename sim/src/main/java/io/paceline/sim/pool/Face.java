package io.paceline.sim.pool;

import io.paceline.Outcome;
import io.paceline.Outcome.Kind;

/** How one try looks to the client: what each policy may learn from, and nothing else. */
enum Face {
    OK(Kind.SUCCESS, 200),
    /** Refused or reset before an answer. */
    NO_CONNECTION(Kind.CONNECT_ERROR, 0),
    /** Accepted and never answered: the client gives up after its time-out. */
    SILENCE(Kind.TIMEOUT, 0),
    /** An error page of the upstream proxy. */
    BAD_GATEWAY(Kind.PROXY_ERROR, 502),
    FORBIDDEN(Kind.BLOCKED, 403),
    /** Shown with 403, as most challenge pages are: so the policies that read the status alone see it too. */
    CHALLENGE(Kind.CAPTCHA, 403),
    SERVER_ERROR(Kind.TARGET_ERROR, 500);

    final Kind kind;
    /** The HTTP status; 0 where there was none. */
    final int status;

    Face(Kind kind, int status) {
        this.kind = kind;
        this.status = status;
    }

    /** The site has seen the request. */
    boolean reachedSite() {
        return this != NO_CONNECTION && this != SILENCE && this != BAD_GATEWAY;
    }

    Outcome outcome(long latencyMicros) {
        return new Outcome(kind, latencyMicros, status, -1, false);
    }
}
