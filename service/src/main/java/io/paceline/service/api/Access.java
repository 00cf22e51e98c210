package io.paceline.service.api;

/** What a route asks of its caller. */
enum Access {
    /** Nothing: load balancers and people with a browser. */
    OPEN,
    /** To be a client of the gatekeeper. */
    PERMIT,
    /** To be allowed to look. */
    READ
}
