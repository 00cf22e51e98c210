package io.paceline.service.proxy;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Order;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Grants the first address that is not excluded, and remembers all that it was asked and told. */
final class FakeGatekeeper implements Gatekeeper {
    /** One lease and how it ended; the outcome is null while it runs. */
    static final class Given {
        final Lease lease;
        final Request request;

        @Nullable
        Outcome outcome;

        int renewed;

        Given(Lease lease, Request request) {
            this.lease = lease;
            this.request = request;
        }
    }

    private final List<Address> addresses = new ArrayList<>();
    private final Map<LeaseId, Given> given = new HashMap<>();
    private final List<Given> inOrder = new ArrayList<>();
    private Decision.@Nullable Refused refusal;
    private @Nullable CompletableFuture<Decision> held;
    private boolean rotate;
    private int next;
    private long leaseMicros = 60_000_000;

    synchronized void serve(Address... served) {
        addresses.clear();
        addresses.addAll(List.of(served));
    }

    /** Takes the addresses in turn, and not always the first. */
    synchronized void rotate() {
        rotate = true;
    }

    synchronized void refuse(Reason reason, long waitMicros) {
        refusal = new Decision.Refused(reason, waitMicros, null, "Refused for the test.");
    }

    synchronized void leasesLast(long micros) {
        leaseMicros = micros;
    }

    /** Answers nothing until the future that is returned says what. */
    synchronized CompletableFuture<Decision> hold() {
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        held = answer;
        return answer;
    }

    synchronized List<Given> given() {
        return List.copyOf(inOrder);
    }

    synchronized List<Outcome.Kind> outcomes() {
        List<Outcome.Kind> kinds = new ArrayList<>();
        for (Given one : inOrder) {
            Outcome outcome = one.outcome;
            if (outcome != null) {
                kinds.add(outcome.kind());
            }
        }
        return kinds;
    }

    synchronized Decision grant(Request request) {
        for (int i = 0; i < addresses.size(); i++) {
            Address address = addresses.get(rotate ? (next + i) % addresses.size() : i);
            if (!request.exclude().contains(address.id())) {
                next++;
                LeaseId id = new LeaseId(inOrder.size() + 1, 0, 0, 0, 0);
                Lease lease = new Lease(
                        id,
                        address,
                        Target.of("test"),
                        "default",
                        request.session(),
                        0,
                        leaseMicros,
                        false,
                        false,
                        "moved".equals(request.session()));
                Given one = new Given(lease, request);
                given.put(id, one);
                inOrder.add(one);
                return new Decision.Granted(List.of(lease));
            }
        }
        return new Decision.Refused(Reason.NO_ADDRESS, 7_000_000, null, "No address is free.");
    }

    @Override
    public synchronized CompletionStage<Decision> acquire(Request request) {
        CompletableFuture<Decision> waiting = held;
        if (waiting != null) {
            return waiting;
        }
        Decision.Refused no = refusal;
        return CompletableFuture.completedFuture(no == null ? grant(request) : no);
    }

    @Override
    public synchronized CompletionStage<SettleResult> settle(LeaseId lease, Outcome outcome) {
        Given one = given.get(lease);
        if (one == null || one.outcome != null) {
            throw new IllegalStateException("settled twice: " + lease);
        }
        one.outcome = outcome;
        return CompletableFuture.completedFuture(SettleResult.RELEASED);
    }

    @Override
    public synchronized CompletionStage<OptionalLong> renew(LeaseId lease) {
        Given one = given.get(lease);
        if (one != null) {
            one.renewed++;
        }
        return CompletableFuture.completedFuture(OptionalLong.of(0));
    }

    @Override
    public CompletionStage<Decision> redeem(String ticket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> giveBack(String ticket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> repinSession(String tenant, @Nullable String pool, String session) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> endSession(String tenant, @Nullable String pool, String session) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> report(String address, @Nullable String target, boolean good) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Order.Result> carryOut(Order order) {
        throw new UnsupportedOperationException("the forward proxy gives no orders");
    }
}
