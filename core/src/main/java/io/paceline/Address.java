package io.paceline;

import java.util.Map;
import java.util.Objects;

/**
 * One egress address: an upstream proxy, or our own address.
 *
 * @param id short, stable and safe to show: derived from a keyed hash of scheme, host, port, user and password
 * @param endpoint how it is reached
 * @param tags {@code country}, {@code city}, {@code kind}, {@code provider} or any other label; values as written
 * @param weight static weight for weighted selection, above 0
 * @param metered true where traffic costs money: such an address is probed by live traffic only
 */
public record Address(String id, Endpoint endpoint, Map<String, String> tags, double weight, boolean metered) {

    public Address {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(endpoint, "endpoint");
        tags = Map.copyOf(tags);
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException("weight " + weight + " is not above 0");
        }
    }

    /** True where every one of the tags asked for is on this address: equal as written, a country in whatever case. */
    public boolean carries(Map<String, String> wanted) {
        for (Map.Entry<String, String> tag : wanted.entrySet()) {
            String mine = tags.get(tag.getKey());
            boolean same = tag.getKey().equals(Tags.COUNTRY)
                    ? tag.getValue().equalsIgnoreCase(mine)
                    : tag.getValue().equals(mine);
            if (!same) {
                return false;
            }
        }
        return true;
    }
}
