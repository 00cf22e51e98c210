package io.paceline.service.api;

import java.util.Objects;

/**
 * How the API is served.
 *
 * @param host the interface to listen on
 * @param port 0 takes any free one
 * @param refusalAs200 true: refusals come with status 200 unless a request says otherwise
 * @param allowPrivateTargets false: private, local and reserved hosts are refused as targets
 * @param tokens where empty, everyone is operator
 * @param sight what callers of tenants may see
 */
public record ApiSettings(
        String host, int port, boolean refusalAs200, boolean allowPrivateTargets, TokenBook tokens, Sight sight) {

    /** Without tenants. */
    public ApiSettings(String host, int port, boolean refusalAs200, boolean allowPrivateTargets, TokenBook tokens) {
        this(host, port, refusalAs200, allowPrivateTargets, tokens, Sight.ofNoTenants());
    }

    public ApiSettings {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(tokens, "tokens");
        Objects.requireNonNull(sight, "sight");
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
        }
    }
}
