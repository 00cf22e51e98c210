package io.paceline.service.config;

import io.paceline.service.lists.ProxyEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A list of proxies that is fetched: {@code {url: ..., refresh: 10m}}.
 *
 * @param pool whose addresses it lists
 * @param url where it is; may hold a key
 * @param shown the same for people: scheme and host alone, and a number where one host has several
 * @param refresh how long a fetched list is good for
 * @param tags of all its addresses; what a line says of itself is nearer
 */
public record UrlList(
        String pool,
        Secret url,
        String shown,
        Duration refresh,
        Map<String, String> tags,
        double weight,
        boolean metered) {

    public UrlList {
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(shown, "shown");
        Objects.requireNonNull(refresh, "refresh");
        tags = Map.copyOf(tags);
    }

    /** Its addresses, given what the list has. */
    List<AddressDraft> drafts(List<ProxyEntry> entries) {
        AddressDraft description = new AddressDraft(io.paceline.Endpoint.DIRECT, tags, weight, metered);
        return entries.stream().map(description::with).toList();
    }
}
