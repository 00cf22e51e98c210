package io.paceline.service.api;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.paceline.Gatekeeper;
import io.paceline.Ticker;
import io.paceline.service.reload.ConfigControl;
import java.util.ArrayList;
import java.util.List;

/** Everything that the API can be asked: one table of routes. */
public final class PermitApi {

    private final Routes routes;

    /**
     * @param pages what people and monitors look at
     * @param views what runs, as JSON
     * @param sessions which sessions live, as JSON
     * @param events what happened
     * @param explain why
     * @param tenants what each tenant has used
     * @param config reads files again, adds and removes addresses
     */
    public PermitApi(
            Gatekeeper gatekeeper,
            Ticker ticker,
            ApiSettings settings,
            Readiness readiness,
            LeaseTokens tokens,
            AddressFinder addresses,
            Views views,
            SessionViews sessions,
            EventRoutes events,
            ExplainRoutes explain,
            TenantRoutes tenants,
            Pages pages,
            ConfigControl config) {
        AcquireRoute acquire = new AcquireRoute(gatekeeper, ticker, readiness, tokens, settings);
        LeaseRoutes leases = new LeaseRoutes(gatekeeper, new LeaseReader(tokens, settings.tokens()), ticker);
        ClientRoutes clients = new ClientRoutes(gatekeeper, addresses, views);
        List<Route> all = new ArrayList<>(List.of(
                new Route(POST, "/acquire", Access.PERMIT, Route.Body.JSON, acquire::handle),
                new Route(POST, "/release", Access.PERMIT, Route.Body.JSON_LIST, leases::release),
                new Route(POST, "/renew", Access.PERMIT, Route.Body.JSON, leases::renew),
                new Route(POST, "/proxy/report", Access.PERMIT, Route.Body.JSON, clients::report),
                new Route(POST, "/sessions/{key}/end", Access.PERMIT, Route.Body.NONE, clients::endSession),
                new Route(POST, "/sessions/{key}/repin", Access.PERMIT, Route.Body.NONE, clients::repinSession),
                new Route(DELETE, "/tickets/{ticket}", Access.PERMIT, Route.Body.NONE, clients::giveBack),
                new Route(GET, "/api/status", Access.READ, Route.Body.NONE, views::status),
                new Route(GET, "/api/pools", Access.READ, Route.Body.NONE, views::pools),
                new Route(GET, "/api/addresses", Access.READ, Route.Body.NONE, views::addresses),
                new Route(GET, "/api/sessions", Access.READ, Route.Body.NONE, sessions::sessions),
                new Route(GET, "/api/rules", Access.READ, Route.Body.NONE, views::rules),
                new Route(GET, "/api/tenants", Access.READ, Route.Body.NONE, tenants::tenants),
                new Route(GET, "/api/tenants/{name}/usage", Access.READ, Route.Body.NONE, tenants::usage),
                new Route(GET, "/api/events", Access.READ, Route.Body.NONE, events::events),
                new Route(GET, "/api/explain/address/{id}", Access.READ, Route.Body.NONE, explain::address),
                new Route(GET, "/api/explain/session/{key}", Access.READ, Route.Body.NONE, explain::session),
                new Route(GET, "/api/explain/lease/{lease}", Access.READ, Route.Body.NONE, explain::lease),
                new Route(GET, "/metrics", Access.READ, Route.Body.NONE, pages::metrics),
                new Route(GET, "/livez", Access.OPEN, Route.Body.NONE, pages::live),
                new Route(GET, "/readyz", Access.OPEN, Route.Body.NONE, pages::ready),
                new Route(GET, "/openapi.yaml", Access.OPEN, Route.Body.NONE, pages::openApi),
                new Route(GET, "/", Access.OPEN, Route.Body.NONE, pages::home)));
        all.addAll(new AddressRoutes(gatekeeper).routes());
        all.addAll(new ConfigRoutes(config).routes());
        routes = new Routes(all);
    }

    Routes routes() {
        return routes;
    }
}
