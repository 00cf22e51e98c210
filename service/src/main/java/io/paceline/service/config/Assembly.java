package io.paceline.service.config;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.pool.PoolConfig;
import io.paceline.service.lists.ProxyEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Puts the addresses of a pool together: those of the files first, then those of fetched lists, then those that people and
 * providers added; each once, as the first of them describes it.
 */
public final class Assembly {

    private Assembly() {}

    /**
     * The pools with the addresses of this moment; one whose lists were never fetched may have none.
     *
     * @param fetched what a fetched list has
     * @param added what was added to pools, in the order of adding; what was added to none of these is left out
     */
    public static List<PoolConfig> pools(
            ServiceConfig config, Function<UrlList, List<ProxyEntry>> fetched, Collection<AddedAddress> added) {
        if (config.urlLists().isEmpty() && added.isEmpty()) {
            return config.pools();
        }
        Map<String, Map<Endpoint, AddressDraft>> byPool = new LinkedHashMap<>();
        for (PoolConfig pool : config.pools()) {
            Map<Endpoint, AddressDraft> drafts = new LinkedHashMap<>();
            pool.addresses().forEach(address -> drafts.put(address.endpoint(), AddressDraft.of(address)));
            byPool.put(pool.settings().name(), drafts);
        }
        for (UrlList list : config.urlLists()) {
            list.drafts(fetched.apply(list)).forEach(draft -> add(byPool, list.pool(), draft));
        }
        added.forEach(address -> add(byPool, address.pool(), address.draft()));
        List<PoolDraft> drafts = new ArrayList<>();
        config.pools()
                .forEach(pool -> drafts.add(new PoolDraft(
                        pool.settings(),
                        new ArrayList<>(byPool.getOrDefault(pool.settings().name(), Map.of())
                                .values()))));
        return named(drafts, config.ids());
    }

    private static void add(Map<String, Map<Endpoint, AddressDraft>> byPool, String pool, AddressDraft draft) {
        Map<Endpoint, AddressDraft> drafts = byPool.get(pool);
        if (drafts != null) {
            drafts.putIfAbsent(draft.endpoint(), draft);
        }
    }

    /** Ids are given over all pools together: one address has one id. */
    static List<PoolConfig> named(Collection<PoolDraft> pools, AddressIds assigner) {
        Set<Endpoint> endpoints = new LinkedHashSet<>();
        pools.forEach(pool -> pool.addresses().forEach(address -> endpoints.add(address.endpoint())));
        Map<Endpoint, String> ids = assigner.assign(endpoints);
        List<PoolConfig> named = new ArrayList<>();
        for (PoolDraft pool : pools) {
            List<Address> addresses = new ArrayList<>(pool.addresses().size());
            for (AddressDraft address : pool.addresses()) {
                String id = ids.get(address.endpoint());
                if (id == null) {
                    throw new IllegalStateException("no id for " + address.endpoint());
                }
                addresses.add(address.named(id));
            }
            named.add(new PoolConfig(pool.settings(), addresses));
        }
        return named;
    }
}
