package io.paceline.service.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows callers by their bearer token (RFC 6750). Compares hashes, every one, in constant time. Thread-safe. */
final class Authenticator {

    private static final String SCHEME = "Bearer ";

    /** Longer than any token that a person would make. */
    private static final int MAX_TOKEN_CHARS = 1_024;

    private final List<ApiToken> tokens;

    Authenticator(List<ApiToken> tokens) {
        this.tokens = List.copyOf(tokens);
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
        Caller caller = find(authorization);
        if (!caller.role().may(access)) {
            throw HttpProblem.of(
                    403,
                    "forbidden",
                    "the token `" + caller.name() + "` has the role "
                            + caller.role().word() + ", which may not do this: "
                            + (access == Access.READ ? "viewer or operator" : "client or operator") + " is needed");
        }
        return caller;
    }

    private Caller find(@Nullable String authorization) {
        if (authorization == null) {
            throw unauthorized("no token: send the header `Authorization: Bearer TOKEN`");
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                || authorization.length() > MAX_TOKEN_CHARS) {
            throw unauthorized("the header Authorization has another form than `Bearer TOKEN`");
        }
        byte[] presented =
                ApiToken.hash(authorization.substring(SCHEME.length()).trim());
        ApiToken found = null;
        for (ApiToken token : tokens) {
            found = token.hasHash(presented) ? token : found;
        }
        if (found == null) {
            throw unauthorized("this token is not known here");
        }
        return new Caller(found.name(), found.tenant(), found.role());
    }

    private static HttpProblem unauthorized(String message) {
        return HttpProblem.of(401, "unauthorized", message);
    }
}
