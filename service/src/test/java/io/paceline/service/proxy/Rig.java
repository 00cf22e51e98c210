package io.paceline.service.proxy;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.Gatekeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A proxy on loopback, with a gatekeeper and a resolver of the test's own. */
final class Rig implements AutoCloseable {
    static final Address DIRECT = new Address("direct", Endpoint.DIRECT, Map.of(), 1, false);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    final FakeGatekeeper gatekeeper = new FakeGatekeeper();
    final Map<String, List<InetAddress>> names = new HashMap<>();
    final List<String> lookups = new CopyOnWriteArrayList<>();
    final List<String> results = new CopyOnWriteArrayList<>();
    final AtomicInteger tunnels = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    final InetSocketAddress address;
    final ForwardProxy proxy;

    private Rig(UnaryOperator<ProxySettings> change, Authenticator authenticator) throws IOException {
        this(change, authenticator, null);
    }

    private Rig(UnaryOperator<ProxySettings> change, Authenticator authenticator, @Nullable Gatekeeper real)
            throws IOException {
        ProxySettings settings = change.apply(ProxySettings.defaults()
                .withListen(new InetSocketAddress(Wire.loopback(), 0))
                .withMaxWait(Duration.ofSeconds(10)));
        NameResolver resolver = host -> {
            lookups.add(host);
            List<InetAddress> found = names.get(host);
            return found == null
                    ? CompletableFuture.failedFuture(new UnknownHostException(host))
                    : CompletableFuture.completedFuture(found);
        };
        proxy = new ForwardProxy(
                settings,
                new ForwardProxy.Collaborators(
                        real == null ? gatekeeper : real,
                        authenticator,
                        new Counting(),
                        resolver,
                        lease -> lease.id() == null ? null : "l_" + lease.id().value()));
        address = proxy.start();
    }

    static Rig open(Address... addresses) throws IOException {
        return open(settings -> settings, addresses);
    }

    static Rig open(UnaryOperator<ProxySettings> change, Address... addresses) throws IOException {
        Rig rig = new Rig(change, Authenticator.OPEN);
        rig.gatekeeper.serve(addresses);
        return rig;
    }

    /** With a gatekeeper of the caller's. */
    static Rig over(Gatekeeper real) throws IOException {
        return new Rig(settings -> settings, Authenticator.OPEN, real);
    }

    /** Wants the token given. */
    static Rig guarded(String token, Address... addresses) throws IOException {
        Rig rig = new Rig(settings -> settings, new Authenticator() {
            @Override
            public boolean required() {
                return true;
            }

            @Override
            public Optional<Identity> authenticate(String presented) {
                return presented.equals(token) ? Optional.of(new Identity("shop")) : Optional.empty();
            }
        });
        rig.gatekeeper.serve(addresses);
        return rig;
    }

    Wire client() throws IOException {
        return Wire.to(address);
    }

    /** One request on a connection of its own; all that comes back until the proxy closes. */
    String exchange(String... lines) throws IOException {
        try (Wire wire = client()) {
            wire.sendLines(lines);
            return wire.rest();
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        proxy.stop(Duration.ofMillis(1)).toCompletableFuture().join();
    }

    private final class Counting implements ProxyMetrics {
        @Override
        public void request(Kind kind, String result) {
            results.add(kind.word() + " " + result);
        }

        @Override
        public void tunnelOpened() {
            tunnels.incrementAndGet();
        }

        @Override
        public void tunnelClosed() {
            tunnels.decrementAndGet();
        }

        @Override
        public void connectionOpened() {
            connections.incrementAndGet();
        }

        @Override
        public void connectionClosed() {
            connections.decrementAndGet();
        }
    }
}
