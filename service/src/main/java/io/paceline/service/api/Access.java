package io.paceline.service.api;

import io.paceline.service.config.TokenConfig.Role;

/** What a route asks of its caller. */
enum Access {
    /** Nothing: load balancers and people with a browser. */
    OPEN("anyone"),
    /** To be a client of the gatekeeper. */
    PERMIT("client or operator"),
    /** To be allowed to look. */
    READ("viewer or operator"),
    /** To be allowed to change what runs. */
    OPERATE("operator");

    private final String wanted;

    Access(String wanted) {
        this.wanted = wanted;
    }

    boolean allows(Role role) {
        return switch (role) {
            case OPERATOR -> true;
            case CLIENT -> this == OPEN || this == PERMIT;
            case VIEWER -> this == OPEN || this == READ;
        };
    }

    /** The roles that it allows, in words. */
    String wanted() {
        return wanted;
    }
}
