package io.paceline.service.api;

import java.util.Locale;
import java.util.Optional;

/** What the bearer of a token may do. */
public enum Role {
    /** Acquires, releases, renews, reports, ends sessions. */
    CLIENT,
    /** Looks: the views under {@code /api} and {@code /metrics}. */
    VIEWER,
    /** Everything. */
    OPERATOR;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role written as the word given; empty for any other word. */
    public static Optional<Role> ofWord(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }

    boolean may(Access access) {
        return switch (access) {
            case OPEN -> true;
            case PERMIT -> this != VIEWER;
            case READ -> this != CLIENT;
        };
    }
}
