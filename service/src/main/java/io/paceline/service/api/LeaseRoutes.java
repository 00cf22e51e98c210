package io.paceline.service.api;

import io.paceline.Gatekeeper;
import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code POST /release} and {@code POST /renew}: the end of a lease, and its prolongation. */
final class LeaseRoutes {

    private final Gatekeeper gatekeeper;
    private final LeaseReader reader;
    private final Ticker ticker;

    LeaseRoutes(Gatekeeper gatekeeper, LeaseReader reader, Ticker ticker) {
        this.gatekeeper = gatekeeper;
        this.reader = reader;
        this.ticker = ticker;
    }

    void release(Call call) {
        ReleaseBody body = ReleaseBody.read(call.body(), ticker.micros());
        if (!body.batch()) {
            ReleaseBody.Release release = body.releases().get(0);
            call.await(settle(call.caller(), release), result -> {
                JsonOut out = new JsonOut();
                write(out, release, result);
                call.json(200, out.end());
            });
            return;
        }
        List<CompletableFuture<SettleResult>> results =
                new ArrayList<>(body.releases().size());
        for (ReleaseBody.Release release : body.releases()) {
            results.add(settle(call.caller(), release).toCompletableFuture());
        }
        call.await(
                CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)),
                done -> call.json(200, list(body.releases(), results)));
    }

    /** In the order of the releases. */
    private static Buffer list(List<ReleaseBody.Release> releases, List<CompletableFuture<SettleResult>> results) {
        JsonOut out = new JsonOut().openArray("results");
        for (int i = 0; i < releases.size(); i++) {
            out.openItem();
            write(out, releases.get(i), results.get(i).join());
            out.close();
        }
        return out.closeArray().end();
    }

    private static void write(JsonOut out, ReleaseBody.Release release, SettleResult result) {
        boolean released = result == SettleResult.RELEASED;
        out.put("released", released);
        if (!released) {
            out.put("reason", result.word());
        } else if (release.classified()) {
            out.put("outcome", release.outcome().kind().word());
        }
    }

    private CompletionStage<SettleResult> settle(Caller caller, ReleaseBody.Release release) {
        Optional<LeaseId> id = reader.read(caller, release.lease());
        return id.isPresent()
                ? gatekeeper.settle(id.get(), release.outcome())
                : CompletableFuture.completedFuture(SettleResult.UNKNOWN);
    }

    void renew(Call call) {
        Optional<LeaseId> id =
                reader.read(call.caller(), RenewBody.read(call.body()).lease());
        if (id.isEmpty()) {
            call.json(200, notRenewed("unknown"));
            return;
        }
        call.await(gatekeeper.renew(id.get()), expiresAt -> {
            if (expiresAt.isEmpty()) {
                call.json(200, notRenewed("gone"));
                return;
            }
            long left = expiresAt.getAsLong() - ticker.micros();
            call.json(
                    200,
                    new JsonOut()
                            .put("renewed", true)
                            .time("use_by", expiresAt.getAsLong())
                            .seconds("expires_in", Numbers.millisDown(left))
                            .end());
        });
    }

    private static Buffer notRenewed(String reason) {
        return new JsonOut().put("renewed", false).put("reason", reason).end();
    }
}
