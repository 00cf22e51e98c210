package io.paceline;

import java.util.Locale;

/** Why a request may not go now. */
public enum Reason {
    /** A rate or concurrency rule is at its limit. */
    RATE_LIMITED,
    /** The request costs more than a rule ever grants at once: no wait helps, a lower cost does. */
    COST_ABOVE_LIMIT,
    /** The tenant has used up a quota of its own. */
    QUOTA_EXCEEDED,
    /** As many callers wait already as may. */
    QUEUE_FULL,
    /** Every address that could serve is in use, out of service or filtered out. */
    NO_ADDRESS,
    /** The shared state cannot be reached. */
    STORE_UNAVAILABLE,
    /** The site's robots.txt forbids it to our crawler, or cannot be reached, which forbids everything meanwhile. */
    ROBOTS_DISALLOWED,
    /** The session's address is in quarantine or frozen: come back when its wait is over. */
    SESSION_PAUSED,
    /** The session's address is gone: end the session and begin a new one. */
    SESSION_ENDED,
    /** Another instance is the one to ask: the work is divided so that this one may not decide it. */
    ELSEWHERE,
    /** The ticket is unknown, used, given back or past its {@code use_by}. */
    TICKET_EXPIRED;

    /** The snake_case word used in JSON and metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
