package io.paceline.service.proxy;

import io.netty.channel.EventLoop;
import io.paceline.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Idle upstream connections of one event loop, newest first. One is taken again only for the very same endpoint with the
 * very same credentials (and, without an upstream, the same origin): a request never leaves by another address than the
 * one that was leased.
 */
final class UpstreamPool {

    /**
     * What a connection may be used for.
     *
     * @param endpoint the address with its credentials
     * @param origin {@code host:port} where the connection ends at the target itself; empty for a proxy
     */
    record Key(Endpoint endpoint, String origin) {}

    private final EventLoop loop;
    private final ProxySettings.Idle bounds;
    private final Map<Key, ArrayDeque<UpstreamConnection>> idle = new HashMap<>();
    private int total;
    private boolean sweeping;

    UpstreamPool(EventLoop loop, ProxySettings.Idle bounds) {
        this.loop = loop;
        this.bounds = bounds;
    }

    /** The connection used last, or null where none is idle. */
    @Nullable
    UpstreamConnection take(Key key) {
        ArrayDeque<UpstreamConnection> connections = idle.get(key);
        while (connections != null && !connections.isEmpty()) {
            UpstreamConnection connection = connections.removeLast();
            total--;
            if (connections.isEmpty()) {
                idle.remove(key);
            }
            if (connection.isUsable() && !isOld(connection)) {
                return connection;
            }
            connection.close();
        }
        return null;
    }

    /** Keeps the connection for later; false where there is no room, and the caller closes it. */
    boolean offer(UpstreamConnection connection) {
        if (bounds.perKey() == 0 || total >= bounds.total()) {
            return false;
        }
        ArrayDeque<UpstreamConnection> connections = idle.computeIfAbsent(connection.key(), k -> new ArrayDeque<>());
        if (connections.size() >= bounds.perKey()) {
            return false;
        }
        connections.addLast(connection);
        total++;
        sweepLater();
        return true;
    }

    /** The connection has closed while it was idle. */
    void remove(UpstreamConnection connection) {
        ArrayDeque<UpstreamConnection> connections = idle.get(connection.key());
        if (connections != null && connections.remove(connection)) {
            total--;
            if (connections.isEmpty()) {
                idle.remove(connection.key());
            }
        }
    }

    void closeAll() {
        List<UpstreamConnection> all = new ArrayList<>();
        idle.values().forEach(all::addAll);
        idle.clear();
        total = 0;
        all.forEach(UpstreamConnection::close);
    }

    int size() {
        return total;
    }

    private boolean isOld(UpstreamConnection connection) {
        return System.nanoTime() - connection.idleSinceNanos() > bounds.expiry().toNanos();
    }

    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            Channels.later(loop, bounds.expiry().toNanos(), this::sweep);
        }
    }

    private void sweep() {
        sweeping = false;
        List<UpstreamConnection> old = new ArrayList<>();
        idle.values()
                .forEach(connections -> connections.stream().filter(this::isOld).forEach(old::add));
        old.forEach(connection -> {
            remove(connection);
            connection.close();
        });
        if (total > 0) {
            sweepLater();
        }
    }
}
