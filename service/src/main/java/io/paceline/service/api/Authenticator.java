package io.paceline.service.api;

import org.jspecify.annotations.Nullable;

/** Knows callers by the bearer token of their header (RFC 6750). Thread-safe. */
final class Authenticator {

    private static final String SCHEME = "Bearer ";

    private final TokenBook tokens;

    Authenticator(TokenBook tokens) {
        this.tokens = tokens;
    }

    /** False where everyone is operator, because the server listens on loopback alone. */
    boolean hasTokens() {
        return !tokens.isEmpty();
    }

    /**
     * The caller, if it may do what the route asks.
     *
     * @param authorization the header, or null
     * @throws HttpProblem 401 where there is no known token, 403 where its role does not suffice
     */
    Caller authenticate(@Nullable String authorization, Access access) {
        if (!hasTokens()) {
            return Caller.ANYONE;
        }
        if (access == Access.OPEN) {
            return Caller.UNKNOWN;
        }
        Caller caller = bearer(authorization);
        if (!access.allows(caller.role())) {
            throw HttpProblem.of(
                    403,
                    "forbidden",
                    "the token `" + caller.name() + "` has the role "
                            + caller.role().word() + ", which may not do this: it takes " + access.wanted());
        }
        return caller;
    }

    private Caller bearer(@Nullable String authorization) {
        if (authorization == null) {
            throw unauthorized("no token: send the header `Authorization: Bearer TOKEN`");
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw unauthorized("the header Authorization has another form than `Bearer TOKEN`");
        }
        return tokens.find(authorization.substring(SCHEME.length()).trim())
                .orElseThrow(() -> unauthorized("this token is not known here"));
    }

    private static HttpProblem unauthorized(String message) {
        return HttpProblem.of(401, "unauthorized", message);
    }
}
