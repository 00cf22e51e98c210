package io.paceline.service.config;

import java.util.Locale;
import java.util.Objects;

/**
 * One entry of {@code api.tokens}.
 *
 * @param name who bears it
 * @param token plain, or {@code sha256:} and 64 hexadecimal digits
 * @param tenant whose sessions its bearer uses; empty for the only one
 */
public record TokenConfig(String name, Secret token, String tenant, Role role) {

    /** What the bearer may do. */
    public enum Role {
        CLIENT,
        VIEWER,
        OPERATOR;

        /** The word of the configuration. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TokenConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(tenant, "tenant");
        Objects.requireNonNull(role, "role");
    }
}
