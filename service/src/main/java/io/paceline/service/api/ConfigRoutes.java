package io.paceline.service.api;

import io.paceline.service.reload.Additions;
import io.paceline.service.reload.ConfigControl;
import io.paceline.service.reload.ReloadResult;
import io.paceline.service.reload.ReloadResult.Outcome;
import io.paceline.service.reload.Removal;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators change while the service runs: the files are read again, addresses are added and removed. */
final class ConfigRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigRoutes.class);

    private final ConfigControl config;

    ConfigRoutes(ConfigControl config) {
        this.config = config;
    }

    List<Route> routes() {
        return List.of(
                new Route(HttpMethod.POST, "/api/reload", Access.OPERATE, Route.Body.NONE, this::reload),
                new Route(HttpMethod.POST, "/api/addresses", Access.OPERATE, Route.Body.JSON_LIST, this::add),
                new Route(HttpMethod.DELETE, "/api/addresses/{id}", Access.OPERATE, Route.Body.NONE, this::remove));
    }

    /** {@code POST /api/reload}: 200 with what has changed, or 422 with everything that is wrong. */
    private void reload(Call call) {
        call.await(config.reload("POST /api/reload by " + who(call)), result -> {
            boolean broken = result.outcome() == Outcome.BROKEN;
            JsonOut out = new JsonOut();
            if (broken) {
                out.openObject("error")
                        .put("code", "configuration_broken")
                        .putNull("field")
                        .put("message", summary(result))
                        .close();
            }
            out.put("result", result.outcome().word()).put("generation", result.generation());
            ConfigView.texts(out, "changes", result.changes());
            ConfigView.texts(out, "needs_restart", result.needsRestart());
            ConfigView.errors(out, "errors", result.errors());
            ConfigView.errors(out, "warnings", result.warnings());
            call.json(broken ? 422 : 200, out.end());
        });
    }

    private static String summary(ReloadResult result) {
        int more = result.errors().size() - 1;
        return "nothing has changed, since the configuration is broken: "
                + result.errors().get(0) + (more == 0 ? "" : ", and " + more + " more");
    }

    private static String who(Call call) {
        return call.caller().name().isEmpty() ? "an operator" : call.caller().name();
    }

    /** {@code POST /api/addresses}. */
    private void add(Call call) {
        AddBody body = AddBody.read(call.body());
        CompletionStage<Additions> asked =
                config.add(body.pool(), body.entries(), body.tags(), body.weight(), body.metered());
        await(call, asked, additions -> {
            LOG.info("{} added {}", who(call), additions.added());
            JsonOut out = new JsonOut();
            ConfigView.texts(out, "added", additions.added());
            ConfigView.texts(out, "known", additions.known());
            call.json(200, out.end());
        });
    }

    /** {@code DELETE /api/addresses/{id}}. */
    private void remove(Call call) {
        String id = call.pathParameter();
        await(call, config.remove(id), removal -> {
            if (removal == Removal.UNKNOWN) {
                throw HttpProblem.of(
                        404, "unknown_address", "no pool has an address with this id: GET /api/addresses lists them");
            }
            if (removal == Removal.CONFIGURED) {
                throw HttpProblem.of(
                        409,
                        "configured",
                        "a file or a list has this address: take it out there (or POST /api/addresses/" + id
                                + "/drain, which lasts until undrain)");
            }
            LOG.info("{} removed {}", who(call), id);
            call.json(200, new JsonOut().put("removed", true).end());
        });
    }

    /**
     * Goes on with what a stage gives. What cannot be is the caller's fault, what cannot be kept is ours; both are said in
     * words.
     */
    private static <T> void await(Call call, CompletionStage<T> stage, Consumer<T> then) {
        CompletionStage<Runnable> next = stage.handle((value, failure) -> () -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof IllegalArgumentException) {
                throw HttpProblem.field("pool", String.valueOf(cause.getMessage()));
            }
            if (cause instanceof IOException) {
                throw HttpProblem.of(500, "not_kept", String.valueOf(cause.getMessage()));
            }
            if (cause != null) {
                throw new CompletionException(cause);
            }
            then.accept(value);
        });
        call.await(next, Runnable::run);
    }
}
