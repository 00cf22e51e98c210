package io.paceline.service.api;

import io.paceline.Decision;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.Hosts;
import io.paceline.pace.TargetUrl;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** {@code POST /acquire}: the main path. A request or a ticket in; permits, a ticket or a refusal out. */
final class AcquireRoute {

    /** Where another instance, or this one after its restart, will have taken over. */
    private static final long DRAIN_WAIT_MICROS = 1_000_000;

    private final Gatekeeper gatekeeper;
    private final Ticker ticker;
    private final Readiness readiness;
    private final AcquireAnswer answers;
    private final boolean refusalAs200;
    private final boolean allowPrivateTargets;
    /** What to do with each call that waits for its slot or an address, should this instance have to stop. */
    private final Map<Call, Runnable> held = new ConcurrentHashMap<>();

    AcquireRoute(Gatekeeper gatekeeper, Ticker ticker, Readiness readiness, LeaseTokens tokens, ApiSettings settings) {
        this.gatekeeper = gatekeeper;
        this.ticker = ticker;
        this.readiness = readiness;
        this.answers = new AcquireAnswer(tokens);
        this.refusalAs200 = settings.refusalAs200();
        this.allowPrivateTargets = settings.allowPrivateTargets();
        readiness.onDrain(() -> held.values().forEach(Runnable::run));
    }

    void handle(Call call) {
        AcquireBody body = AcquireBody.read(
                call.body(), call.caller().tenant(), call.caller().name());
        Boolean asked = body.refusalAs200();
        boolean as200 = asked == null ? refusalAs200 : asked;
        if (readiness.isDraining()) {
            draining(call, as200);
            return;
        }
        Request request = body.request();
        String ticket = body.ticket();
        if (request == null) {
            await(call, gatekeeper.redeem(ticket == null ? "" : ticket), as200, false);
            return;
        }
        String forbidden = forbidden(request.target());
        if (forbidden != null) {
            refuse(call, as200, 403, "target_forbidden", -1, forbidden);
            return;
        }
        boolean list = request.count() > 1;
        await(call, ask(request), as200, list);
    }

    /** A call that has to wait is told when the instance drains: cut off at the end of it, it would have waited for nothing. */
    private void await(Call call, CompletionStage<Decision> asked, boolean as200, boolean list) {
        if (!asked.toCompletableFuture().isDone()) {
            Runnable letGo = () -> call.onLoop(() -> {
                if (!call.isAbandoned()) {
                    draining(call, as200);
                }
            });
            held.put(call, letGo);
            CompletionStage<Decision> unused = asked.whenComplete((decision, failure) -> held.remove(call));
            if (readiness.isDraining()) {
                letGo.run(); // it began just before, and came too late for the list
            }
        }
        call.await(asked, decision -> answer(call, decision, as200, list));
    }

    private void draining(Call call, boolean as200) {
        refuse(call, as200, 503, "draining", DRAIN_WAIT_MICROS, "this instance is shutting down: ask again");
    }

    /** Why the target may not be asked for, or null where it may. */
    private @Nullable String forbidden(String target) {
        try {
            String host = TargetUrl.parseLoosely(target).host();
            if (allowPrivateTargets || !Hosts.isPrivate(host)) {
                return null;
            }
            return "the target " + host + " is private, local or reserved: allow_private_targets would let it pass";
        } catch (BadTargetException e) {
            if (e.isForbidden()) {
                return e.getMessage();
            }
            throw HttpProblem.field("target", "`target`: " + e.getMessage());
        }
    }

    private CompletionStage<Decision> ask(Request request) {
        try {
            return gatekeeper.acquire(request);
        } catch (BadTargetException e) {
            throw HttpProblem.field("target", "`target`: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw HttpProblem.field("pool", "`pool`: " + e.getMessage());
        }
    }

    private void answer(Call call, Decision decision, boolean as200, boolean list) {
        if (call.isAbandoned()) {
            giveUp(decision);
            call.drop();
        } else if (decision instanceof Decision.Granted granted) {
            call.json(200, list ? answers.granted(granted.leases()) : answers.granted(granted.lease()));
        } else if (decision instanceof Decision.Reserved reserved) {
            call.json(200, answers.reserved(reserved, ticker.micros()));
        } else if (decision instanceof Decision.Refused refused) {
            int status = AcquireAnswer.status(refused);
            if (as200) {
                call.json(200, answers.refused(refused));
            } else if (refused.waitMicros() >= 0 && refused.reason() != Reason.TICKET_EXPIRED) {
                call.jsonLater(status, Numbers.retryAfterSeconds(refused.waitMicros()), answers.refused(refused));
            } else {
                call.json(status, answers.refused(refused));
            }
        }
    }

    private void refuse(Call call, boolean as200, int status, String reason, long waitMicros, String message) {
        Buffer json = answers.refused(reason, waitMicros, null, message);
        if (as200) {
            call.json(200, json);
        } else if (waitMicros >= 0) {
            call.jsonLater(status, Numbers.retryAfterSeconds(waitMicros), json);
        } else {
            call.json(status, json);
        }
    }

    /** The caller hung up while it waited: what it got must serve others at once, and not only when it expires. */
    private void giveUp(Decision decision) {
        if (decision instanceof Decision.Reserved reserved) {
            gatekeeper.giveBack(reserved.ticket());
        } else if (decision instanceof Decision.Granted granted) {
            for (Lease lease : granted.leases()) {
                if (lease.id() != null) {
                    gatekeeper.settle(lease.id(), Outcome.of(Outcome.Kind.CANCELED));
                }
            }
        }
    }
}
