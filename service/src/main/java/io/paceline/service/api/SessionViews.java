package io.paceline.service.api;

import java.util.concurrent.CompletionStage;

/** {@code GET /api/sessions}: which sessions live, under names that show nothing of their keys. */
public final class SessionViews {

    private static final int MAX_PER_PAGE = 1_000;
    private static final int DEFAULT_PER_PAGE = 100;

    private final SessionSource source;

    public SessionViews(SessionSource source) {
        this.source = source;
    }

    /** {@code GET /api/sessions?pool=&from=&per_page=}: pages by a place to go on from, since sessions come and go. */
    void sessions(Call call) {
        long from = Views.number(call, "from", 0, 0, Integer.MAX_VALUE);
        int perPage = Views.number(call, "per_page", DEFAULT_PER_PAGE, 1, MAX_PER_PAGE);
        CompletionStage<SessionSource.Page> page;
        try {
            page = source.page(call.sight()::session, call.sight().poolOr(call.query("pool")), from, perPage);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.field("pool", "`pool`: " + e.getMessage());
        }
        call.await(page, found -> {
            JsonOut out = new JsonOut().openArray("sessions");
            found.sessions().forEach(session -> write(out, session));
            out.closeArray();
            if (found.next() < 0) {
                out.putNull("next");
            } else {
                out.put("next", found.next());
            }
            call.json(200, out.end());
        });
    }

    private static void write(JsonOut out, SessionSource.Row session) {
        out.openItem()
                .put("session", session.name())
                .put("state", session.state())
                .put("pool", session.servedBy())
                .put("address", session.address())
                .put("leases", session.leases())
                .time("expires_at", session.expiresAtMicros())
                .close();
    }
}
