package io.paceline.service.api;

import io.paceline.Gatekeeper;
import io.paceline.Order;
import io.paceline.Order.Verb;
import io.paceline.pace.BadTargetException;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators order about an address: {@code POST /api/addresses/{id}/freeze}, {@code .../ban} and so on. */
final class AddressRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(AddressRoutes.class);

    private final Gatekeeper gatekeeper;

    AddressRoutes(Gatekeeper gatekeeper) {
        this.gatekeeper = gatekeeper;
    }

    /** One route for each verb. */
    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (Verb verb : Verb.values()) {
            String path = "/api/addresses/{id}/" + verb.word();
            routes.add(new Route(
                    HttpMethod.POST, path, Access.OPERATE, Route.Body.JSON_OR_NONE, call -> carryOut(call, verb)));
        }
        return routes;
    }

    private void carryOut(Call call, Verb verb) {
        Order order = OrderBody.read(verb, call.body()).order(verb, call.pathParameter());
        CompletionStage<Order.Result> result;
        try {
            result = gatekeeper.carryOut(order);
        } catch (BadTargetException e) {
            throw HttpProblem.field("target", "`target`: " + e.getMessage());
        }
        call.await(result, done -> answer(call, order, done));
    }

    private static void answer(Call call, Order order, Order.Result result) {
        if (result == Order.Result.UNKNOWN_ADDRESS) {
            throw HttpProblem.of(
                    404,
                    "unknown_address",
                    "no pool has an address with this id: GET /api/addresses lists them, and /acquire names the one of each"
                            + " permit as `address`");
        }
        LOG.info(
                "{} of {}{} by {}: {}",
                order.verb().word(),
                order.address(),
                // As it came it may be a URL with a password; the decision's own line names the site.
                order.target() == null ? "" : " on one target",
                call.caller().name().isEmpty() ? "an operator" : call.caller().name(),
                result == Order.Result.DONE ? "done" : "it was so already");
        call.json(
                200,
                new JsonOut()
                        .put("address", order.address())
                        .put("order", order.verb().word())
                        .put("changed", result == Order.Result.DONE)
                        .end());
    }
}
