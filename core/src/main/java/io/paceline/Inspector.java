package io.paceline;

import io.paceline.health.Verdict.Guilty;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
import io.paceline.store.SessionRow;
import io.paceline.store.SlotRows;
import io.paceline.store.StateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers questions of people about one address or one session: joins this instance's view with the store's rows. */
final class Inspector {
    private final StateStore store;
    private final Ticker ticker;

    Inspector(StateStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    /** The address in every pool that has it; empty where none does. */
    CompletionStage<List<Inspection>> address(Routes routes, String id) {
        CompletionStage<List<Inspection>> all = CompletableFuture.completedFuture(List.of());
        for (PoolRuntime pool : routes.pools.values()) {
            int slot = pool.view.slotOf(id);
            if (slot >= 0) {
                all = all.thenCombine(address(routes, pool, slot), Inspector::plus);
            }
        }
        return all;
    }

    private static List<Inspection> plus(List<Inspection> all, Optional<Inspection> one) {
        List<Inspection> more = new ArrayList<>(all);
        one.ifPresent(more::add);
        return more;
    }

    private CompletionStage<Optional<Inspection>> address(Routes routes, PoolRuntime pool, int slot) {
        Map<Long, String> names = routes.targetNames();
        List<Long> targets = List.copyOf(names.keySet());
        return store.rows(pool.chain, slot, targets).thenApply(rows -> {
            long now = ticker.micros();
            AddressStatus status = pool.view.status(slot);
            WeightParts parts = pool.view.weightParts(slot, now);
            if (status == null || parts == null || rows.address() == null) {
                return Optional.empty();
            }
            List<Inspection.Cell> cells = new ArrayList<>();
            rows.cells().forEach((target, row) -> {
                String name = names.get(target);
                if (name != null) {
                    cells.add(new Inspection.Cell(name, row));
                }
            });
            List<Inspection.Group> guilty = guilty(pool, rows, names);
            return Optional.of(new Inspection(pool.name, status, parts, rows.address(), cells, guilty, now));
        });
    }

    private static List<Inspection.Group> guilty(PoolRuntime pool, SlotRows rows, Map<Long, String> targets) {
        List<Inspection.Group> groups = new ArrayList<>();
        rows.guilty().forEach((id, since) -> {
            String target = targets.get(id);
            Guilty kind = id == StateStore.POOL ? Guilty.OWN_SIDE : target != null ? Guilty.TARGET : Guilty.TAG;
            String name = kind == Guilty.OWN_SIDE ? pool.name : target != null ? target : pool.view.tagName(id);
            groups.add(new Inspection.Group(kind, name, since));
        });
        return groups;
    }

    /** Where the session lives that this pool knows; empty where it does not. */
    CompletionStage<Optional<Inspection.Binding>> session(Routes routes, PoolRuntime pool, long key) {
        return store.session(pool.chain, key).thenApply(found -> found.map(row -> binding(routes, pool, row)));
    }

    private static Inspection.Binding binding(Routes routes, PoolRuntime pool, SessionRow row) {
        PoolRuntime serving = routes.ofChain(row.chain());
        Address address = serving == null || !row.present() ? null : serving.view.address(row.slot());
        return new Inspection.Binding(
                pool.name,
                serving == null ? null : serving.name,
                address == null ? null : address.id(),
                row.expiresAtMicros(),
                row.live(),
                row.confirmed(),
                row.state());
    }
}
