package io.paceline.service.usage;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.Request;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which targets and sessions are whose, as far as this instance has seen: in a pool of several tenants each is shown its own
 * alone. Thread-safe; bounded: what is forgotten is shown to nobody but operators, until it is used again.
 */
public final class TenantTraces implements GateListener {

    /** Targets that are remembered of each tenant. */
    static final int MAX_TARGETS = 10_000;

    /** Sessions that are remembered of all tenants together. */
    static final int MAX_SESSIONS = 200_000;

    private final Map<String, Set<String>> targets = new ConcurrentHashMap<>();
    private final Map<Long, String> sessions = new ConcurrentHashMap<>();

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        if (request.tenant().isEmpty() || !(decision instanceof Decision.Granted granted)) {
            return;
        }
        for (Lease lease : granted.leases()) {
            addTarget(request.tenant(), lease.target().name());
        }
        if (request.session() != null) {
            addSession(request.tenant(), request.session());
        }
    }

    private void addTarget(String tenant, String target) {
        Set<String> own = targets.get(tenant);
        if (own == null) {
            own = targets.computeIfAbsent(tenant, absent -> ConcurrentHashMap.newKeySet());
        }
        if (!own.contains(target)) {
            if (own.size() >= MAX_TARGETS) {
                own.clear();
            }
            own.add(target);
        }
    }

    private void addSession(String tenant, String session) {
        long key = EmbeddedGatekeeper.sessionKey(tenant, session);
        if (!sessions.containsKey(key)) {
            if (sessions.size() >= MAX_SESSIONS) {
                sessions.clear();
            }
            sessions.put(key, tenant);
        }
    }

    /** Whether the tenant has asked for the target. */
    public boolean hasAsked(String tenant, String target) {
        return targets.getOrDefault(tenant, Set.of()).contains(target);
    }

    /** Whether the session of this key, a hash, is the tenant's. */
    public boolean owns(String tenant, long session) {
        return tenant.equals(sessions.get(session));
    }
}
