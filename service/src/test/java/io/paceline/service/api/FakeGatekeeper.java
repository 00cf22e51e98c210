package io.paceline.service.api;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.Decision;
import io.paceline.Endpoint;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Order;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.Target;
import io.paceline.pace.BadTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A gatekeeper that grants everything unless told what to say, and remembers what it was asked. */
final class FakeGatekeeper implements Gatekeeper {

    static final long NOW = 1_772_366_400_000_000L;
    static final String PASSWORD = "hunter2";

    static final Address ADDRESS = new Address(
            "a17",
            new Endpoint(Endpoint.Scheme.HTTP, "198.51.100.7", 8080, new Credentials("user", PASSWORD)),
            Map.of("country", "de"),
            1,
            false);

    final List<Request> requests = new CopyOnWriteArrayList<>();
    final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    final List<String> said = new CopyOnWriteArrayList<>();
    private final AtomicLong ids = new AtomicLong();

    volatile Function<Request, CompletionStage<Decision>> onAcquire = request -> done(grant(request));
    volatile Function<String, CompletionStage<Decision>> onRedeem = ticket -> done(grant(Request.to("example.com")));
    volatile SettleResult onSettle = SettleResult.RELEASED;

    static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    Decision.Granted grant(Request request) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            leases.add(lease(request));
        }
        return new Decision.Granted(leases);
    }

    private Lease lease(Request request) {
        long until = NOW + 60_000_000;
        LeaseId id = new LeaseId(ids.incrementAndGet(), 1, 17, 5, until);
        return new Lease(
                request.lease() ? id : null,
                ADDRESS,
                Target.of("example.com"),
                "default",
                request.session(),
                NOW,
                until,
                false,
                false,
                "moved".equals(request.session()));
    }

    @Override
    public CompletionStage<Decision> acquire(Request request) {
        requests.add(request);
        if (request.pool() != null && !request.pool().equals("default")) {
            throw new IllegalArgumentException("there is no pool '" + request.pool() + "'");
        }
        return onAcquire.apply(request);
    }

    @Override
    public CompletionStage<Decision> redeem(String ticket) {
        said.add("redeem " + ticket);
        return onRedeem.apply(ticket);
    }

    @Override
    public CompletionStage<Boolean> giveBack(String ticket) {
        said.add("giveBack " + ticket);
        return done(ticket.equals("t_1"));
    }

    @Override
    public CompletionStage<SettleResult> settle(LeaseId lease, Outcome outcome) {
        outcomes.add(outcome);
        return done(onSettle);
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease) {
        return done(lease.value() == 1 ? OptionalLong.of(NOW + 90_000_000) : OptionalLong.empty());
    }

    @Override
    public CompletionStage<Boolean> repinSession(String tenant, @Nullable String pool, String session) {
        said.add("repin " + tenant + " " + pool + " " + session);
        return done(session.equals("known"));
    }

    @Override
    public CompletionStage<Boolean> endSession(String tenant, String pool, String session) {
        if (pool != null && !pool.equals("default")) {
            throw new IllegalArgumentException("there is no pool '" + pool + "'");
        }
        said.add("endSession " + tenant + "/" + pool + "/" + session);
        return done(session.startsWith("acct"));
    }

    @Override
    public CompletionStage<Boolean> report(String address, String target, boolean good) {
        said.add("report " + address + " " + target + " " + good);
        return done(address.equals("a17"));
    }

    @Override
    public CompletionStage<Order.Result> carryOut(Order order) {
        if ("no target".equals(order.target())) {
            throw new BadTargetException("this is no URL");
        }
        said.add(order.toString());
        if (!order.address().equals("a17")) {
            return done(Order.Result.UNKNOWN_ADDRESS);
        }
        return done(order.verb() == Order.Verb.THAW ? Order.Result.ALREADY : Order.Result.DONE);
    }
}
