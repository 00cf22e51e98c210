package io.paceline.service.api;

import java.util.List;

/** Finds addresses by what a client writes for a proxy. Thread-safe. */
@FunctionalInterface
public interface AddressFinder {

    /**
     * The ids of all addresses that the text may mean: with credentials the one that has the same, without them every
     * account at that host and port.
     *
     * @param proxy a URL or {@code host:port}
     * @throws IllegalArgumentException where it is neither; the message shows no credentials
     */
    List<String> find(String proxy);
}
