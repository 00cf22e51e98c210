package io.paceline.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The rival of T1, as most crawlers begin: under one lock, filter the healthy and free addresses of a list, pick one at
 * random, count.
 */
final class NaiveList {
    private static final int MAX_LEASES = 10;

    private final List<Proxy> proxies = new ArrayList<>();

    static final class Proxy {
        final String url;
        boolean healthy = true;
        int leases;
        int failures;

        Proxy(String url) {
            this.url = url;
        }
    }

    NaiveList(int count) {
        for (int i = 0; i < count; i++) {
            proxies.add(new Proxy("http://10.0.0.1:" + i));
        }
    }

    synchronized Proxy acquire() {
        List<Proxy> free = new ArrayList<>();
        for (Proxy proxy : proxies) {
            if (proxy.healthy && proxy.leases < MAX_LEASES) {
                free.add(proxy);
            }
        }
        Proxy chosen = free.get(ThreadLocalRandom.current().nextInt(free.size()));
        chosen.leases++;
        return chosen;
    }

    synchronized void release(Proxy proxy, boolean good) {
        proxy.leases--;
        proxy.failures = good ? 0 : proxy.failures + 1;
        proxy.healthy = proxy.failures < 3;
    }
}
