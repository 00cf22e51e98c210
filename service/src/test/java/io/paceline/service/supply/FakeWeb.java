package io.paceline.service.supply;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A web whose answers a test gives, at once or when it likes. */
final class FakeWeb implements Web {

    final List<Ask> asks = new ArrayList<>();
    Function<Ask, CompletionStage<Answer>> answers = ask -> down("no connection", true);

    @Override
    public CompletionStage<Answer> get(Ask ask) {
        asks.add(ask);
        return answers.apply(ask);
    }

    static CompletionStage<Answer> text(String body, @Nullable String etag) {
        return CompletableFuture.completedStage(new Answer(200, body.getBytes(StandardCharsets.UTF_8), etag, null));
    }

    static CompletionStage<Answer> status(int status) {
        return CompletableFuture.completedStage(new Answer(status, new byte[0], null, null));
    }

    static CompletionStage<Answer> down(String why, boolean neverAsked) {
        return CompletableFuture.failedStage(new WebException(why, neverAsked));
    }
}
