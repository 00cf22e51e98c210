package io.paceline.service.proxy;

import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What connections of one proxy share. All of it is fixed before the first of them, but for the drain.
 *
 * @param ownAddresses every address by which a dial would come back to us
 */
record ProxyContext(
        ProxySettings settings,
        Gatekeeper gatekeeper,
        Authenticator authenticator,
        ProxyMetrics metrics,
        NameResolver resolver,
        Function<Lease, @Nullable String> leaseText,
        HeadWriter writer,
        String pseudonym,
        Class<? extends SocketChannel> socketType,
        Map<EventLoop, UpstreamPool> pools,
        int ownPort,
        Set<InetAddress> ownAddresses,
        Drain drain) {

    /** Set once, when the proxy is asked to stop. */
    static final class Drain {
        private volatile boolean begun;

        void begin() {
            begun = true;
        }

        boolean hasBegun() {
            return begun;
        }
    }

    /** The same for connections that come from now on. */
    ProxyContext with(ProxySettings others) {
        return new ProxyContext(
                others,
                gatekeeper,
                authenticator,
                metrics,
                resolver,
                leaseText,
                writer,
                pseudonym,
                socketType,
                pools,
                ownPort,
                ownAddresses,
                drain);
    }

    boolean isDraining() {
        return drain.hasBegun();
    }

    UpstreamPool pool(EventLoop loop) {
        UpstreamPool pool = pools.get(loop);
        if (pool == null) {
            throw new IllegalStateException("an event loop that is not ours");
        }
        return pool;
    }

    /** Whether a connection to this address would end at our own port. */
    boolean isOwn(InetSocketAddress address) {
        return address.getPort() == ownPort && ownAddresses.contains(address.getAddress());
    }
}
