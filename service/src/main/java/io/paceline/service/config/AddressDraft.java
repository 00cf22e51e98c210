package io.paceline.service.config;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.service.lists.ProxyEntry;
import java.util.HashMap;
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

    static AddressDraft of(Address address) {
        return new AddressDraft(address.endpoint(), address.tags(), address.weight(), address.metered());
    }

    /** This description of another address. What the line says of itself is nearer than what the source says of all. */
    AddressDraft with(ProxyEntry entry) {
        Map<String, String> all = new HashMap<>(tags);
        all.putAll(entry.tags());
        return new AddressDraft(entry.endpoint(), all, weight, metered);
    }

    Address named(String id) {
        return new Address(id, endpoint, tags, weight, metered);
    }
}
