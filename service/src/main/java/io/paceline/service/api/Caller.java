package io.paceline.service.api;

import io.paceline.service.config.TokenConfig.Role;

/**
 * Who sent a request.
 *
 * @param name the token's; empty where no tokens are configured
 * @param tenant whose sessions and quotas it uses
 */
record Caller(String name, String tenant, Role role) {

    /** Whether nothing is hidden: an operator runs the house for all tenants, and who has no tenant is in nobody's way. */
    boolean seesAll() {
        return tenant.isEmpty() || role == Role.OPERATOR;
    }

    /** Everyone, on a server without tokens. */
    static final Caller ANYONE = new Caller("", "", Role.OPERATOR);

    /** Nobody in particular, on an open route. */
    static final Caller UNKNOWN = new Caller("", "", Role.CLIENT);
}
