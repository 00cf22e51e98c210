package io.paceline.service.config;

import io.paceline.Address;
import io.paceline.Endpoint;
import java.util.Map;

/** An address before it has its id. */
record AddressDraft(Endpoint endpoint, Map<String, String> tags, double weight, boolean metered) {

    static final double DEFAULT_WEIGHT = 1;

    AddressDraft {
        tags = Map.copyOf(tags);
    }

    static AddressDraft of(Endpoint endpoint) {
        return new AddressDraft(endpoint, Map.of(), DEFAULT_WEIGHT, false);
    }

    Address named(String id) {
        return new Address(id, endpoint, tags, weight, metered);
    }
}
