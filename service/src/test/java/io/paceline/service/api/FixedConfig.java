package io.paceline.service.api;

import io.paceline.service.config.ConfigError;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.reload.Additions;
import io.paceline.service.reload.ConfigControl;
import io.paceline.service.reload.ConfigState;
import io.paceline.service.reload.ConfigStatus;
import io.paceline.service.reload.ReloadResult;
import io.paceline.service.reload.Removal;
import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A configuration whose files are broken: in pool {@code default}, {@code a17} is added and {@code a18} is in a file. */
final class FixedConfig implements ConfigControl {

    private static final ConfigError ERROR =
            new ConfigError("rules.yaml", 3, 5, "limit \"x\" is no whole number: write limit: 30");

    @Override
    public CompletionStage<ReloadResult> reload(String why) {
        return CompletableFuture.completedStage(
                new ReloadResult(ReloadResult.Outcome.BROKEN, 4, List.of(), List.of(), List.of(ERROR), List.of()));
    }

    @Override
    public CompletionStage<Additions> add(
            @Nullable String pool, List<ProxyEntry> entries, Map<String, String> tags, double weight, boolean metered) {
        return pool == null || pool.equals("default")
                ? CompletableFuture.completedStage(new Additions(List.of("a" + entries.size()), List.of("a18")))
                : CompletableFuture.failedStage(new IllegalArgumentException("there is no pool \"" + pool + "\""));
    }

    @Override
    public CompletionStage<Removal> remove(String id) {
        return CompletableFuture.completedStage(
                switch (id) {
                    case "a17" -> Removal.REMOVED;
                    case "a18" -> Removal.CONFIGURED;
                    default -> Removal.UNKNOWN;
                });
    }

    @Override
    public ConfigStatus status() {
        return new ConfigStatus(
                new ConfigState(4, FakeGatekeeper.NOW, List.of(ERROR), FakeGatekeeper.NOW, List.of()),
                List.of(new ListState(
                        "default", "https://lists.example.net", 2, 0, FakeGatekeeper.NOW, "no connection")),
                List.of(new SupplyState("default", "https://provider.example.net", 20, 80, 0, null)));
    }
}
