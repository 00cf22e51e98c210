package io.paceline.pace.robots;

import io.paceline.pace.BadTargetException;
import io.paceline.pace.Hosts;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.Hint;
import io.paceline.pace.hint.Hints;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One look at a site's robots.txt: follows at most five redirects, wherever they lead but to addresses that no target may
 * have, and takes what it finds as the answer of the site that was asked first.
 */
final class RobotsLookup {
    private static final int MOST_REDIRECTS = 5;

    private final RobotsSource source;
    private final String agent;
    private final boolean privateTargets;
    private final int failures;

    /** @param failures looks at the same file that led to nothing, in a row before this one */
    RobotsLookup(RobotsSource source, String agent, boolean privateTargets, int failures) {
        this.source = source;
        this.agent = agent;
        this.privateTargets = privateTargets;
        this.failures = failures;
    }

    CompletionStage<RobotsState> look(TargetUrl origin, long nowMicros) {
        return step(new TargetUrl(origin.scheme(), origin.host(), origin.port(), "/robots.txt"), 0, nowMicros);
    }

    private CompletionStage<RobotsState> step(TargetUrl url, int redirects, long nowMicros) {
        return ask(url).handle((reply, failure) -> {
                    if (failure != null) {
                        String why = "robots.txt cannot be reached (" + message(failure) + ")";
                        return CompletableFuture.completedStage(RobotsState.unreachable(why, failures));
                    }
                    int status = reply.status();
                    return status >= 300 && status < 400
                            ? redirected(url, reply, redirects, nowMicros)
                            : CompletableFuture.completedStage(answered(reply, nowMicros));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<RobotsSource.Reply> ask(TargetUrl url) {
        try {
            return source.get(url);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private RobotsState answered(RobotsSource.Reply reply, long nowMicros) {
        Hint hint = Hints.read(reply.status(), reply.fields(), nowMicros);
        return RobotsState.answered(reply.status(), reply.body(), agent, hint, failures);
    }

    private CompletionStage<RobotsState> redirected(
            TargetUrl from, RobotsSource.Reply reply, int redirects, long nowMicros) {
        List<String> location = reply.fields().all("location");
        TargetUrl to;
        try {
            to = location.isEmpty() ? null : resolve(from, location.get(0).strip());
        } catch (BadTargetException e) {
            to = null;
        }
        if (to == null) {
            return CompletableFuture.completedStage(
                    RobotsState.unavailable("robots.txt redirects and does not say where to: no restrictions"));
        }
        if (!privateTargets && Hosts.isPrivate(to.host())) {
            String why = "robots.txt redirects to a private address";
            return CompletableFuture.completedStage(RobotsState.unreachable(why, failures));
        }
        if (redirects == MOST_REDIRECTS) {
            return CompletableFuture.completedStage(RobotsState.unavailable(
                    "robots.txt redirects more than " + MOST_REDIRECTS + " times: no restrictions"));
        }
        return step(to, redirects + 1, nowMicros);
    }

    /** @throws BadTargetException where the reference leads to no URL that can be fetched */
    private static @Nullable TargetUrl resolve(TargetUrl base, String reference) {
        String origin = base.scheme() + "://" + base.authority();
        if (reference.isEmpty()) {
            return null;
        }
        if (reference.startsWith("//")) {
            return TargetUrl.parse(base.scheme() + ":" + reference);
        }
        if (reference.startsWith("/")) {
            return TargetUrl.parse(origin + reference);
        }
        if (reference.startsWith("?")) {
            return TargetUrl.parse(origin + path(base) + reference);
        }
        boolean absolute = reference.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*");
        return TargetUrl.parse(absolute ? reference : origin + folder(base) + reference);
    }

    private static String path(TargetUrl url) {
        int query = url.pathAndQuery().indexOf('?');
        return query < 0 ? url.pathAndQuery() : url.pathAndQuery().substring(0, query);
    }

    private static String folder(TargetUrl url) {
        String path = path(url);
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    private static String message(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
