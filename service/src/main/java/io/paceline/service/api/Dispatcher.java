package io.paceline.service.api;

import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.LongAdder;

/** Takes one request from its head to its route's handler: find, guard, authenticate, receive, handle. */
final class Dispatcher {

    private final Routes routes;
    private final Authenticator authenticator;
    private final Sight sight;
    private final LongAdder running;

    /** @param running counts the calls that have a whole request and no answer yet, over all event loops */
    Dispatcher(Routes routes, Authenticator authenticator, Sight sight, LongAdder running) {
        this.routes = routes;
        this.authenticator = authenticator;
        this.sight = sight;
        this.running = running;
    }

    void dispatch(HttpServerRequest request, Context context, Connections connections) {
        Routes.Match match;
        try {
            match = routes.find(request.method(), request.path());
            Call call = new Call(request, context, match.parameter(), () -> ended(request, connections));
            call.guarded(() -> admit(request, call, match.route(), connections));
        } catch (HttpProblem problem) {
            Call call = new Call(request, context, null, () -> {});
            if (problem.status() == 405) {
                call.header("allow", routes.allowed(request.path()));
            }
            call.problem(problem);
        }
    }

    private void admit(HttpServerRequest request, Call call, Route route, Connections connections) {
        if (!authenticator.hasTokens()) {
            BrowserGuard.check(
                    request.getHeader(HttpHeaders.HOST), request.getHeader(HttpHeaders.ORIGIN), route.changes());
        }
        Caller caller = authenticator.authenticate(request.getHeader(HttpHeaders.AUTHORIZATION), route.access());
        call.identify(caller, sight.of(caller));
        if (route.body() == Route.Body.NONE) {
            began(request, call, connections);
            call.guarded(() -> route.handler().accept(call));
            return;
        }
        Receiver.receive(
                request,
                route.body(),
                octets -> {
                    call.receive(octets);
                    began(request, call, connections);
                    call.guarded(() -> route.handler().accept(call));
                },
                call::problem);
    }

    private void began(HttpServerRequest request, Call call, Connections connections) {
        call.began();
        running.increment();
        connections.began(request.connection());
    }

    private void ended(HttpServerRequest request, Connections connections) {
        running.decrement();
        connections.ended(request.connection(), System.nanoTime());
    }
}
