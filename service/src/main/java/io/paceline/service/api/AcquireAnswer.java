package io.paceline.service.api;

import io.paceline.Decision;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Decisions as JSON, and as status codes. */
final class AcquireAnswer {

    private final LeaseTokens tokens;

    AcquireAnswer(LeaseTokens tokens) {
        this.tokens = tokens;
    }

    /** One permit: its members beside {@code allowed}. */
    Buffer granted(Lease lease) {
        JsonOut out = new JsonOut().put("allowed", true);
        permit(out, lease);
        return out.end();
    }

    /** As many permits as there are, as a list. */
    Buffer granted(Iterable<Lease> leases) {
        JsonOut out = new JsonOut().put("allowed", true).openArray("permits");
        for (Lease lease : leases) {
            out.openItem();
            permit(out, lease);
            out.close();
        }
        return out.closeArray().end();
    }

    private void permit(JsonOut out, Lease lease) {
        LeaseId id = lease.id();
        if (lease.migrated()) {
            out.put("session_migrated", true);
        }
        out.put("lease", id == null ? null : tokens.write(id, lease.tenant()))
                .put("proxy", ProxyUrl.of(lease.address().endpoint()))
                .put("address", lease.address().id())
                .put("pool", lease.pool())
                .put("target", lease.target().name())
                .put("wait_seconds", 0)
                .time("use_by", lease.expiresAtMicros())
                .seconds("expires_in", Numbers.millisDown(lease.expiresAtMicros() - lease.grantedAtMicros()))
                .openObject("suggested_headers");
        SuggestedHeaders.of(lease).forEach(out::put);
        out.close();
        if (lease.panic()) {
            out.put("panic", true);
        }
    }

    Buffer reserved(Decision.Reserved reserved, long nowMicros) {
        return new JsonOut()
                .put("allowed", true)
                .put("ticket", reserved.ticket())
                .seconds("wait_seconds", Numbers.millisUp(reserved.startAtMicros() - nowMicros))
                .time("use_by", reserved.useByMicros())
                .put("rule", reserved.rule())
                .end();
    }

    Buffer refused(Decision.Refused refused) {
        return refused(refused.reason().word(), refused.waitMicros(), refused.rule(), refused.message());
    }

    /** @param waitMicros negative where nobody knows: {@code null} then */
    Buffer refused(String reason, long waitMicros, @Nullable String rule, String message) {
        JsonOut out = new JsonOut().put("allowed", false).put("reason", reason);
        if (waitMicros < 0) {
            out.putNull("wait_seconds");
        } else {
            out.seconds("wait_seconds", Numbers.millisUp(waitMicros));
        }
        return out.put("rule", rule).put("message", message).end();
    }

    static int status(Decision.Refused refused) {
        return switch (refused.reason()) {
            case COST_ABOVE_LIMIT -> 400;
            case RATE_LIMITED, QUOTA_EXCEEDED, QUEUE_FULL -> 429;
            case NO_ADDRESS, STORE_UNAVAILABLE -> 503;
            case ROBOTS_DISALLOWED -> 403;
            case SESSION_PAUSED, SESSION_ENDED, TICKET_EXPIRED -> 409;
            case ELSEWHERE -> 421;
        };
    }
}
