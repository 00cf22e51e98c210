package io.paceline.service.api;

import io.paceline.Inspection;
import io.paceline.LeaseId;
import io.paceline.health.Verdict.Guilty;
import io.paceline.service.events.Event;
import io.paceline.service.events.EventLog;
import io.paceline.service.events.LeaseBook;
import io.paceline.service.events.LeaseBook.Remembered;
import io.paceline.store.SessionRow;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** {@code GET /api/explain/...}: why an address is in its state, where a session lives, why a lease went where it went. */
public final class ExplainRoutes {

    private static final int EVENTS_SHOWN = 20;

    private final Insight insight;
    private final AddressFinder finder;
    private final LeaseReader leaseReader;
    private final LeaseBook leases;
    private final EventLog events;

    public ExplainRoutes(
            Insight insight,
            AddressFinder finder,
            LeaseTokens tokens,
            TokenBook callers,
            LeaseBook leases,
            EventLog events) {
        this.insight = insight;
        this.finder = finder;
        this.leaseReader = new LeaseReader(tokens, callers);
        this.leases = leases;
        this.events = events;
    }

    /** {@code GET /api/explain/address/{id}}: the id, or the proxy as it is written in a list. */
    void address(Call call) {
        String wanted = call.pathParameter();
        Sight.View sight = call.sight();
        call.await(insight.address(wanted), all -> {
            List<Inspection> known = shown(sight, all);
            if (!known.isEmpty()) {
                call.json(200, address(sight, wanted, known));
                return;
            }
            String id = found(sight, wanted);
            call.await(insight.address(id), allOfIt -> {
                List<Inspection> other = shown(sight, allOfIt);
                if (other.isEmpty()) {
                    throw unknownAddress();
                }
                call.json(200, address(sight, id, other));
            });
        });
    }

    /** The pools of the caller, without what others do there. */
    private static List<Inspection> shown(Sight.View sight, List<Inspection> pools) {
        return sight.all()
                ? pools
                : pools.stream()
                        .filter(pool -> sight.pool(pool.pool()))
                        .map(pool -> new Inspection(
                                pool.pool(),
                                pool.status(),
                                pool.parts(),
                                pool.row(),
                                pool.cells().stream()
                                        .filter(cell -> sight.target(pool.pool(), cell.target()))
                                        .toList(),
                                pool.guilty().stream()
                                        .filter(group -> group.kind() != Guilty.TARGET
                                                || sight.target(pool.pool(), group.name()))
                                        .toList(),
                                pool.nowMicros()))
                        .toList();
    }

    private String found(Sight.View sight, String wanted) {
        List<String> found;
        try {
            found = finder.find(wanted);
        } catch (IllegalArgumentException e) {
            throw unknownAddress();
        }
        if (found.isEmpty()) {
            throw unknownAddress();
        }
        if (found.size() > 1 && !sight.all()) {
            throw unknownAddress(); // whose the others are is nobody else's business
        }
        if (found.size() > 1) {
            throw HttpProblem.field(
                    "id",
                    found.size() + " addresses have this host and port: ask by one of their ids, "
                            + String.join(", ", found.subList(0, Math.min(5, found.size()))));
        }
        return found.get(0);
    }

    private static HttpProblem unknownAddress() {
        return HttpProblem.of(404, "unknown_address", "no pool has this address; GET /api/addresses lists them");
    }

    private Buffer address(Sight.View sight, String id, List<Inspection> pools) {
        JsonOut out = new JsonOut().put("address", id).openArray("pools");
        for (Inspection pool : pools) {
            out.openItem();
            List<Event> transitions = events.latest(
                    1_000,
                    event -> sight.event(event)
                            && event.kind() == Event.Kind.TRANSITION
                            && id.equals(event.address())
                            && pool.pool().equals(event.pool()));
            AddressExplanation.write(out, pool, transitions);
            out.close();
        }
        out.closeArray().openArray("events");
        for (Event event : events.latest(EVENTS_SHOWN, event -> id.equals(event.address()) && sight.event(event))) {
            out.openItem();
            EventRoutes.write(out, event);
            out.close();
        }
        return out.closeArray().end();
    }

    /** {@code GET /api/explain/session/{key}?pool=}: a session of the caller's tenant. */
    void session(Call call) {
        CompletionStage<Optional<Inspection.Binding>> asked;
        try {
            asked = insight.session(call.caller().tenant(), call.query("pool"), call.pathParameter());
        } catch (IllegalArgumentException e) {
            throw HttpProblem.field("pool", "`pool`: " + e.getMessage());
        }
        call.await(asked, found -> {
            Inspection.Binding binding = found.orElseThrow(() -> HttpProblem.of(
                    404,
                    "unknown_session",
                    "no live session has this key in that pool: it has not begun, was ended, or its time is over"));
            JsonOut out = new JsonOut()
                    .put("pool", binding.pool())
                    .put("served_by", binding.servedBy())
                    .put("address", binding.addressId())
                    .time("until", binding.untilMicros())
                    .put("leases", binding.live())
                    .put("confirmed", binding.confirmed())
                    .put("state", binding.state().name().toLowerCase(Locale.ROOT))
                    .put("ended", binding.state() == SessionRow.State.ENDED);
            out.openArray("explanation");
            LeaseExplanation.sentences(binding).forEach(out::item);
            call.json(200, out.closeArray().end());
        });
    }

    /** {@code GET /api/explain/lease/{lease}}. */
    void lease(Call call) {
        LeaseId id = leaseReader
                .read(call.caller(), call.pathParameter())
                .orElseThrow(() -> HttpProblem.of(
                        404,
                        "unknown_lease",
                        "this is no lease of this gatekeeper: leases begin with l_ and are whole"));
        Remembered lease = leases.find(id)
                .orElseThrow(() -> HttpProblem.of(
                        404,
                        "forgotten_lease",
                        "the reasons of this lease are forgotten: the last " + LeaseBook.CAPACITY
                                + " grants of this instance since its start are kept"));
        JsonOut out = new JsonOut();
        LeaseExplanation.write(out, lease);
        call.json(200, out.end());
    }
}
