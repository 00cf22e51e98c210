package io.paceline.service.lists;

import io.paceline.Endpoint;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One proxy out of a list: how it is reached, and what the list says about it.
 *
 * @param endpoint how it is reached; equal endpoints are the same proxy
 * @param label what a list adds in free text, such as the country behind a bar; null where it adds nothing
 * @param tags labels with a name, such as {@code country}; values as written
 */
public record ProxyEntry(Endpoint endpoint, @Nullable String label, Map<String, String> tags) {

    public ProxyEntry {
        Objects.requireNonNull(endpoint, "endpoint");
        tags = Map.copyOf(tags);
    }

    static ProxyEntry of(Endpoint endpoint) {
        return new ProxyEntry(endpoint, null, Map.of());
    }
}
