package io.paceline.service.config;

import io.paceline.Endpoint;
import java.util.Map;
import java.util.Objects;

/**
 * An address that is in no file: an operator added it by the API, or a provider was asked for it.
 *
 * @param pool the pool that it was added to
 * @param by who added it
 * @param atMicros when
 */
public record AddedAddress(
        String pool,
        Endpoint endpoint,
        Map<String, String> tags,
        double weight,
        boolean metered,
        By by,
        long atMicros) {

    /** Where an added address comes from. */
    public enum By {
        API,
        SUPPLY
    }

    public AddedAddress {
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(by, "by");
        tags = Map.copyOf(tags);
    }

    AddressDraft draft() {
        return new AddressDraft(endpoint, tags, weight, metered);
    }
}
