package io.paceline.service.config;

import java.util.List;
import java.util.Objects;

/**
 * The HTTP API.
 *
 * @param refusalAs200 true answers refusals with status 200 unless a request says otherwise
 * @param tokens empty makes everyone operator, which only a loopback address allows
 */
public record ApiConfig(ListenAddress listen, boolean refusalAs200, List<TokenConfig> tokens) {

    public ApiConfig {
        Objects.requireNonNull(listen, "listen");
        tokens = List.copyOf(tokens);
    }

    public static ApiConfig defaults() {
        return new ApiConfig(new ListenAddress("127.0.0.1", 8080), false, List.of());
    }

    public ApiConfig withListen(ListenAddress changed) {
        return new ApiConfig(changed, refusalAs200, tokens);
    }
}
