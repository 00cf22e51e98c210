package io.paceline.service;

import io.paceline.EmbeddedGatekeeper;
import io.paceline.EmbeddedGatekeeper.SessionStatus;
import io.paceline.service.api.SessionSource;
import io.paceline.service.metrics.Pseudonyms;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The gatekeeper's sessions, in the words of the API. */
final class GateSessions implements SessionSource {

    private final EmbeddedGatekeeper gate;
    private final Pseudonyms pseudonyms;

    GateSessions(EmbeddedGatekeeper gate, Pseudonyms pseudonyms) {
        this.gate = gate;
        this.pseudonyms = pseudonyms;
    }

    @Override
    public CompletionStage<Page> page(LongPredicate shown, @Nullable String pool, long from, int max) {
        return gate.sessions(pool, from, max)
                .thenApply(page -> new Page(
                        page.sessions().stream()
                                .filter(session -> shown.test(session.key()))
                                .map(this::row)
                                .toList(),
                        page.next()));
    }

    private Row row(SessionStatus session) {
        return new Row(
                pseudonyms.ofSession(session.key()),
                session.servedBy(),
                session.addressId(),
                session.leases(),
                session.expiresAtMicros(),
                session.state().name().toLowerCase(Locale.ROOT));
    }
}
