package io.paceline.service;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.pool.PoolConfig;
import io.paceline.service.api.AddressFinder;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The addresses in force by what people write for them, and by id. Thread-safe. */
final class ConfiguredAddresses implements AddressFinder {

    private volatile Index index;

    private record Index(Map<String, List<Address>> byAuthority, Map<String, Address> byId) {
        static Index of(List<PoolConfig> pools) {
            Index index = new Index(new HashMap<>(), new HashMap<>());
            for (PoolConfig pool : pools) {
                for (Address address : pool.addresses()) {
                    if (index.byId.put(address.id(), address) == null) {
                        index.byAuthority
                                .computeIfAbsent(address.endpoint().authority(), key -> new ArrayList<>(1))
                                .add(address);
                    }
                }
            }
            return index;
        }
    }

    ConfiguredAddresses(List<PoolConfig> pools) {
        index = Index.of(pools);
    }

    /** Knows the addresses of these pools and no others from now on. */
    void replace(List<PoolConfig> pools) {
        index = Index.of(pools);
    }

    int size() {
        return index.byId.size();
    }

    /** The tag {@code kind} of the address, or null. */
    @Nullable
    String kindOf(String id) {
        Address address = index.byId.get(id);
        return address == null ? null : address.tags().get("kind");
    }

    @Override
    public List<String> find(String proxy) {
        Endpoint wanted = parse(proxy);
        boolean anyScheme = !proxy.contains("://");
        List<String> found = new ArrayList<>();
        for (Address address : index.byAuthority.getOrDefault(wanted.authority(), List.of())) {
            Endpoint endpoint = address.endpoint();
            Credentials credentials = wanted.credentials();
            if ((anyScheme || endpoint.scheme() == wanted.scheme())
                    && (credentials == null || credentials.equals(endpoint.credentials()))) {
                found.add(address.id());
            }
        }
        return found;
    }

    private static Endpoint parse(String proxy) {
        if (proxy.equals("direct")) {
            return Endpoint.DIRECT;
        }
        List<ProxyEntry> entries = ProxyLine.parse(proxy).match(ProxyLine.Entries::entries, skip -> List.of(), bad -> {
            throw new IllegalArgumentException(bad.message());
        });
        if (entries.size() != 1) {
            throw new IllegalArgumentException("it names no single proxy: write host:port or http://user:pw@host:port");
        }
        return entries.get(0).endpoint();
    }
}
