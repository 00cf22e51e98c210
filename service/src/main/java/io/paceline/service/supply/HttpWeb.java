package io.paceline.service.supply;

import io.paceline.service.metrics.BuildInfo;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The web by the client of the JDK: directly, whatever proxies the surroundings name; at most {@value #MAX_OCTETS} octets,
 * {@value #MAX_REDIRECTS} redirects, never from https down to http; user and password of a URL go to its own host alone.
 */
public final class HttpWeb implements Web {

    /** A million proxies, at some sixty octets each. */
    static final int MAX_OCTETS = 64 * 1024 * 1024;

    static final int MAX_REDIRECTS = 5;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT)
            .build();
    private final Duration timeout;
    private final int maxOctets;

    /** @param timeout for the whole of an answer, redirects included */
    public HttpWeb(Duration timeout) {
        this(timeout, MAX_OCTETS);
    }

    HttpWeb(Duration timeout, int maxOctets) {
        this.timeout = timeout;
        this.maxOctets = maxOctets;
    }

    @Override
    public CompletionStage<Answer> get(Ask ask) {
        Going going = new Going(ask);
        going.go(URI.create(ask.url().value()), 0);
        return going.answer
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((answer, failure) -> going.stop())
                .handle((answer, failure) -> failure == null
                        ? CompletableFuture.completedStage(answer)
                        : CompletableFuture.<Answer>failedStage(inOurWords(failure)))
                .thenCompose(stage -> stage);
    }

    /** One request on its way, over all its redirects. */
    private final class Going {
        private final Ask ask;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private volatile @Nullable CompletableFuture<?> running;

        Going(Ask ask) {
            this.ask = ask;
        }

        void go(URI uri, int redirects) {
            HttpRequest request;
            try {
                request = request(uri, redirects == 0);
            } catch (IllegalArgumentException unfit) {
                answer.completeExceptionally(new WebException("its URL cannot be asked", true));
                return;
            }
            CompletableFuture<HttpResponse<byte[]>> sent =
                    client.sendAsync(request, head -> new BoundedBody(maxOctets));
            running = sent;
            CompletableFuture<?> unused = sent.whenComplete((response, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else if (REDIRECTS.contains(response.statusCode())) {
                    redirected(uri, response, redirects + 1);
                } else {
                    answer.complete(new Answer(
                            response.statusCode(),
                            response.body(),
                            response.headers().firstValue("etag").orElse(null),
                            response.headers().firstValue("last-modified").orElse(null)));
                }
            });
        }

        private HttpRequest request(URI uri, boolean own) {
            String info = uri.getRawUserInfo();
            URI bare = info == null ? uri : URI.create(uri.toString().replaceFirst("//[^/@?#]*@", "//"));
            HttpRequest.Builder request = HttpRequest.newBuilder(bare)
                    .timeout(timeout)
                    .header("User-Agent", "paceline/" + BuildInfo.version())
                    .header("Accept", "*/*");
            if (info != null) {
                byte[] pair = uri.getUserInfo().getBytes(StandardCharsets.UTF_8);
                request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
            }
            if (own && ask.etag() != null) {
                request.header("If-None-Match", ask.etag());
            }
            if (own && ask.lastModified() != null) {
                request.header("If-Modified-Since", ask.lastModified());
            }
            return request.build();
        }

        private void redirected(URI from, HttpResponse<byte[]> response, int redirects) {
            String location = response.headers().firstValue("location").orElse("");
            URI to;
            try {
                to = from.resolve(location);
            } catch (IllegalArgumentException unfit) {
                answer.completeExceptionally(new WebException("it redirects to what is no URL", false));
                return;
            }
            String scheme = String.valueOf(to.getScheme()).toLowerCase(Locale.ROOT);
            if (redirects > MAX_REDIRECTS) {
                answer.completeExceptionally(
                        new WebException("it redirects more than " + MAX_REDIRECTS + " times", false));
            } else if (!scheme.equals("https") && !scheme.equals("http")) {
                answer.completeExceptionally(new WebException("it redirects to another scheme than http", false));
            } else if (scheme.equals("http") && "https".equalsIgnoreCase(from.getScheme())) {
                answer.completeExceptionally(new WebException("it redirects from https down to http", false));
            } else {
                go(to, redirects);
            }
        }

        void stop() {
            CompletableFuture<?> sent = running;
            if (sent != null) {
                sent.cancel(true);
            }
        }
    }

    /** An exception's own message may name what nobody should read. */
    private static WebException inOurWords(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof WebException ours) {
            return ours;
        }
        if (cause instanceof TimeoutException || cause instanceof java.net.http.HttpTimeoutException) {
            return new WebException("no answer in time", cause instanceof HttpConnectTimeoutException);
        }
        if (cause instanceof BoundedBody.TooLong) {
            return new WebException("its answer is too long", false);
        }
        if (cause instanceof ConnectException) {
            return new WebException(
                    cause.getCause() instanceof UnresolvedAddressException ? "no such host" : "no connection", true);
        }
        if (cause instanceof SSLException) {
            return new WebException("no TLS with it, or a certificate that is not believed", true);
        }
        return new WebException(cause instanceof IOException ? "the connection broke" : "it cannot be asked", false);
    }
}
