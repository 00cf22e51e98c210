package io.paceline.service.config;

import java.util.Objects;

/** A text that {@link #toString()} never shows. */
public record Secret(String value) {

    public Secret {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return "***";
    }
}
