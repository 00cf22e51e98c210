package io.paceline.service.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes a request's body in, up to its route's bound, and checks that it claims to be JSON. */
final class Receiver {

    private Receiver() {}

    /**
     * Hands over the whole body when it has come.
     *
     * @param failed is told 413 where it is too long; at most one of the two is called
     * @throws HttpProblem 413 or 415 where the head alone says enough
     */
    static void receive(
            HttpServerRequest request, Route.Body kind, Consumer<byte[]> received, Consumer<HttpProblem> failed) {
        boolean nothing = request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null
                && declaredLength(request.getHeader(HttpHeaders.CONTENT_LENGTH)) == 0;
        if (!nothing || kind != Route.Body.JSON_OR_NONE) {
            checkType(request.getHeader(HttpHeaders.CONTENT_TYPE));
        }
        checkCoding(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        if (declaredLength(request.getHeader(HttpHeaders.CONTENT_LENGTH)) > kind.maxOctets()) {
            throw tooLong(kind);
        }
        if (request.getHeader(HttpHeaders.EXPECT) != null) {
            request.response().writeContinue();
        }
        Collector collector = new Collector(kind, received, failed);
        request.handler(collector::add);
        request.endHandler(end -> collector.end());
    }

    private static void checkType(@Nullable String contentType) {
        if (contentType == null) {
            throw unsupported("the header Content-Type is missing: send `application/json`");
        }
        if (contentType.equals("application/json")) {
            return;
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";");
        if (!parts[0].trim().equals("application/json")) {
            throw unsupported("the body is `" + cut(contentType) + "`: send `application/json`");
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                throw unsupported("the body is in `" + cut(parameter) + "`: JSON is UTF-8");
            }
        }
    }

    private static void checkCoding(@Nullable String coding) {
        if (coding != null && !coding.trim().equalsIgnoreCase("identity")) {
            throw unsupported("the body is compressed by `" + cut(coding) + "`: send it as it is");
        }
    }

    private static long declaredLength(@Nullable String header) {
        if (header == null) {
            return 0;
        }
        try {
            return Long.parseLong(header.trim());
        } catch (NumberFormatException e) {
            throw HttpProblem.of(400, "invalid_header", "the header Content-Length is no number");
        }
    }

    private static HttpProblem tooLong(Route.Body kind) {
        return HttpProblem.of(
                413,
                "body_too_large",
                "the body is longer than " + kind.maxOctets() / 1024 + " KiB: send less at once");
    }

    private static HttpProblem unsupported(String message) {
        return HttpProblem.of(415, "unsupported_media_type", message);
    }

    private static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** The body so far. Most come in one piece, which is then not copied together. */
    private static final class Collector {
        private final Route.Body kind;
        private final Consumer<byte[]> received;
        private final Consumer<HttpProblem> failed;
        private @Nullable Buffer first;
        private @Nullable Buffer joined;
        private boolean over;

        Collector(Route.Body kind, Consumer<byte[]> received, Consumer<HttpProblem> failed) {
            this.kind = kind;
            this.received = received;
            this.failed = failed;
        }

        void add(Buffer chunk) {
            if (over) {
                return;
            }
            if (first == null) {
                first = chunk;
            } else {
                joined = joined == null ? Buffer.buffer().appendBuffer(first) : joined;
                joined.appendBuffer(chunk);
            }
            if (length() > kind.maxOctets()) {
                over = true;
                failed.accept(tooLong(kind));
            }
        }

        private int length() {
            return joined != null ? joined.length() : first != null ? first.length() : 0;
        }

        void end() {
            if (over) {
                return;
            }
            Buffer body = joined != null ? joined : first;
            received.accept(body == null ? new byte[0] : body.getBytes());
        }
    }
}
