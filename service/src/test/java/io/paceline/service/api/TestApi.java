package io.paceline.service.api;

import io.paceline.GateConfig;
import io.paceline.Inspection;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Spending;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TenantBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.service.events.EventLog;
import io.paceline.service.events.LeaseBook;
import io.paceline.service.metrics.Pseudonyms;
import io.paceline.service.metrics.Status;
import io.paceline.service.usage.UsageBook;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The API over a fake gatekeeper, on a free port of loopback. */
final class TestApi implements AutoCloseable {

    static final LeaseTokens TOKENS = new LeaseTokens("a key for tests only".getBytes(StandardCharsets.UTF_8));

    private static final EventLog EVENTS = new EventLog(() -> FakeGatekeeper.NOW);
    private static final FixedConfig CONFIG = new FixedConfig();
    private static final Vertx WIRING_ONLY = Vertx.vertx();

    final FakeGatekeeper gatekeeper = new FakeGatekeeper();
    final Readiness readiness = new Readiness();
    final Vertx vertx = Vertx.vertx();
    final ApiServer server;
    final int port;

    TestApi(ApiSettings settings) {
        server = new ApiServer(vertx, settings, permitApi(gatekeeper, settings, readiness, vertx));
        port = server.start(2).toCompletableFuture().join();
        readiness.ready();
    }

    static ApiSettings settings(ApiToken... tokens) {
        return new ApiSettings("127.0.0.1", 0, false, false, new TokenBook(List.of(tokens)));
    }

    static PermitApi permitApi(FakeGatekeeper gatekeeper, ApiSettings settings) {
        return permitApi(gatekeeper, settings, new Readiness(), WIRING_ONLY);
    }

    private static PermitApi permitApi(
            FakeGatekeeper gatekeeper, ApiSettings settings, Readiness readiness, Vertx vertx) {
        return new PermitApi(
                gatekeeper,
                () -> FakeGatekeeper.NOW,
                settings,
                readiness,
                TOKENS,
                TestApi::find,
                new Views(
                        () -> FakeGatekeeper.done(status()),
                        RuleBook::empty,
                        TenantBook::empty,
                        readiness,
                        () -> FakeGatekeeper.NOW,
                        "memory",
                        () -> null,
                        CONFIG::status),
                new SessionViews(TestApi::sessions),
                new EventRoutes(EVENTS),
                new ExplainRoutes(
                        new NobodyKnown(),
                        TestApi::find,
                        TOKENS,
                        settings.tokens(),
                        new LeaseBook(() -> FakeGatekeeper.NOW, new Pseudonyms(new byte[32])),
                        EVENTS),
                new TenantRoutes(
                        new UsageBook(() -> FakeGatekeeper.NOW, TestApi::config, id -> null, new Spending()),
                        TestApi::config),
                new Pages(vertx, readiness, () -> "paceline_test 1\n", CONFIG::status),
                CONFIG);
    }

    private static GateConfig config() {
        PoolConfig pool = new PoolConfig(PoolSettings.defaults("default"), List.of());
        return new GateConfig(List.of(pool), TargetBook.empty(), RuleBook.empty());
    }

    private static CompletionStage<SessionSource.Page> sessions(
            LongPredicate shown, @Nullable String pool, long from, int max) {
        if (pool != null && !pool.equals("default")) {
            throw new IllegalArgumentException("pool \"" + pool + "\" does not exist; there is default");
        }
        SessionSource.Row row = new SessionSource.Row("~0123456789ab", "spare", "a17", 2, FakeGatekeeper.NOW, "bound");
        return FakeGatekeeper.done(new SessionSource.Page(List.of(row), from == 0 ? 7 : -1));
    }

    /** An {@link Insight} into an empty gatekeeper. */
    private static final class NobodyKnown implements Insight {
        @Override
        public CompletionStage<List<Inspection>> address(String id) {
            return FakeGatekeeper.done(List.of());
        }

        @Override
        public CompletionStage<Optional<Inspection.Binding>> session(String tenant, @Nullable String pool, String key) {
            return FakeGatekeeper.done(Optional.empty());
        }
    }

    private static List<String> find(String proxy) {
        return switch (proxy) {
            case "198.51.100.7:8080" -> List.of("a17");
            case "gw.example:8000" -> List.of("a1", "a2");
            case "nonsense" -> throw new IllegalArgumentException("this is no proxy: write host:port");
            default -> List.of();
        };
    }

    private static Status status() {
        Status.AddressStatus healthy = new Status.AddressStatus(
                "a17",
                "http://198.51.100.7:8080",
                Map.of("country", "de"),
                1,
                "healthy",
                0,
                3,
                1,
                0.98,
                250_000,
                200_000,
                480_000,
                "",
                0,
                0);
        Status.AddressStatus out = new Status.AddressStatus(
                "a18", "direct", Map.of(), 0.5, "quarantined", FakeGatekeeper.NOW, 0, 0, -1, 0, 0, 0, "", 0, 0);
        return new Status(List.of(new Status.Pool("default", "weighted", 3, 2, 1.0, List.of(healthy, out))));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
