package io.paceline.service;

import io.paceline.EmbeddedGatekeeper;
import io.paceline.health.Standing;
import io.paceline.pool.AddressStatus;
import io.paceline.service.metrics.Status;
import io.paceline.service.metrics.StatusSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The gatekeeper's own view of its pools, in the words of the API. */
final class GateStatus implements StatusSource {

    private final EmbeddedGatekeeper gate;

    GateStatus(EmbeddedGatekeeper gate) {
        this.gate = gate;
    }

    @Override
    public CompletionStage<Status> status() {
        CompletionStage<List<Status.Pool>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (EmbeddedGatekeeper.PoolStatus pool : gate.pools()) {
            CompletionStage<Integer> sessions = gate.sessions(pool.settings().name());
            all = all.thenCombine(sessions, (pools, live) -> {
                pools.add(pool(pool, live));
                return pools;
            });
        }
        return all.thenApply(pools -> new Status(pools, gate.controlUrls()));
    }

    @Override
    public Map<String, Integer> waitingByRule() {
        return gate.waitingByRule();
    }

    private static Status.Pool pool(EmbeddedGatekeeper.PoolStatus pool, int sessions) {
        long leases = pool.addresses().stream().mapToLong(AddressStatus::live).sum();
        return new Status.Pool(
                pool.settings().name(),
                pool.settings().strategy().word(),
                leases,
                sessions,
                capUsed(pool),
                pool.addresses().stream().map(GateStatus::address).toList());
    }

    /** Addresses out of service over those that may be: above 1 only where the list has shrunk. */
    private static double capUsed(EmbeddedGatekeeper.PoolStatus pool) {
        List<Standing> counted = pool.addresses().stream()
                .map(AddressStatus::standing)
                .filter(Standing::counts)
                .toList();
        int members = counted.size();
        long out = counted.stream().filter(standing -> !standing.inService()).count();
        double share = pool.settings().quarantine().maxShare() * members;
        double mayGo = Math.max(members >= 3 ? 1 : 0, Math.floor(share + 1e-9));
        return mayGo == 0 ? out > 0 ? 1 : 0 : Math.min(1, out / mayGo);
    }

    private static Status.AddressStatus address(AddressStatus status) {
        Standing standing = status.standing();
        return new Status.AddressStatus(
                status.address().id(),
                withoutCredentials(status),
                status.address().tags(),
                status.weight(),
                standing.word(),
                standing.hold().isNone()
                        ? standing.untilMicros()
                        : standing.hold().banUntilMicros(),
                status.live(),
                status.cellsOut(),
                status.successRate(),
                status.latencyMicros(),
                status.p50Micros(),
                status.p95Micros(),
                standing.hold().ban() == null ? "" : standing.hold().ban().reason(),
                status.checkedMicros(),
                status.checkLatencyMicros());
    }

    /** Not even the user name: with gateways it is a customer's. */
    private static String withoutCredentials(AddressStatus status) {
        var endpoint = status.address().endpoint();
        return endpoint.isDirect() ? "direct" : endpoint.scheme().word() + "://" + endpoint.authority();
    }
}
