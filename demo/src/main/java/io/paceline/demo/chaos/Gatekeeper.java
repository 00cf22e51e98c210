package io.paceline.demo.chaos;

import io.paceline.demo.ApiClient;
import java.util.Objects;

/**
 * One process from its start to its end.
 *
 * @param name {@code g2}; after a restart {@code g2'}
 * @param place from 0, the same after a restart
 */
record Gatekeeper(String name, int place, Process process, ApiClient api) {
    Gatekeeper {
        Objects.requireNonNull(name, "name");
    }
}
