package io.paceline.service.api;

import io.paceline.Gatekeeper;
import io.paceline.pace.BadTargetException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients say beside acquire and release: a ticket given back, a session's end, a word about an address. */
final class ClientRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ClientRoutes.class);

    private final Gatekeeper gatekeeper;
    private final AddressFinder addresses;
    private final Views views;

    ClientRoutes(Gatekeeper gatekeeper, AddressFinder addresses, Views views) {
        this.gatekeeper = gatekeeper;
        this.addresses = addresses;
        this.views = views;
    }

    /** {@code DELETE /tickets/{ticket}}. */
    void giveBack(Call call) {
        call.await(gatekeeper.giveBack(call.pathParameter()), done -> call.json(200, flag("canceled", done)));
    }

    /** {@code POST /sessions/{key}/end?pool=}. */
    void endSession(Call call) {
        session(call, "ended", gatekeeper::endSession);
    }

    /** {@code POST /sessions/{key}/repin?pool=}. */
    void repinSession(Call call) {
        session(call, "repinned", gatekeeper::repinSession);
    }

    /** What can be done to a session: true where there was one. */
    @FunctionalInterface
    private interface SessionAction {
        CompletionStage<Boolean> apply(String tenant, @Nullable String pool, String key);
    }

    private static void session(Call call, String flag, SessionAction action) {
        String key = call.pathParameter();
        if (key.length() > AcquireBody.MAX_SESSION_CHARS) {
            throw HttpProblem.field(
                    "key", "the session key has more than " + AcquireBody.MAX_SESSION_CHARS + " characters");
        }
        CompletionStage<Boolean> done;
        try {
            done = action.apply(call.caller().tenant(), call.query("pool"), key);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.field("pool", "`pool`: " + e.getMessage());
        }
        call.await(done, was -> call.json(200, flag(flag, was)));
    }

    /** {@code POST /proxy/report}. */
    void report(Call call) {
        ReportBody body = ReportBody.read(call.body());
        String id = body.address() != null ? body.address() : only(body.proxy() == null ? "" : body.proxy());
        call.await(views.has(call.sight(), id), own -> {
            if (!own) {
                throw unknown();
            }
            report(call, body, id);
        });
    }

    private void report(Call call, ReportBody body, String id) {
        CompletionStage<Boolean> reported;
        try {
            reported = gatekeeper.report(id, body.target(), body.good());
        } catch (BadTargetException e) {
            throw HttpProblem.field("target", "`target`: " + e.getMessage());
        }
        call.await(reported, known -> {
            if (!known) {
                throw unknown();
            }
            LOG.info(
                    "{} reported {} by {}: {}",
                    id,
                    body.good() ? "good" : "bad",
                    call.caller().name().isEmpty() ? "a client" : call.caller().name(),
                    body.reason() == null ? "no reason given" : body.reason());
            call.json(
                    200, new JsonOut().put("reported", true).put("address", id).end());
        });
    }

    /** The one address that the text means. */
    private String only(String proxy) {
        List<String> found;
        try {
            found = addresses.find(proxy);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.field("proxy", "`proxy`: " + e.getMessage());
        }
        if (found.isEmpty()) {
            throw unknown();
        }
        if (found.size() > 1) {
            throw HttpProblem.field(
                    "proxy",
                    found.size() + " addresses have this host and port: send `address`, or the URL with its user and"
                            + " password");
        }
        return found.get(0);
    }

    private static HttpProblem unknown() {
        return HttpProblem.of(404, "unknown_address", "no pool has this address; GET /api/addresses lists them");
    }

    private static Buffer flag(String name, boolean value) {
        return new JsonOut().put(name, value).end();
    }
}
