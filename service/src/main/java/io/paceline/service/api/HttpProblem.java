package io.paceline.service.api;

import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be served as it stands, and the answer that says why: {@code {"error": {code, field, message}}}.
 *
 * <p>An exception without a stack trace: it is a value that travels up from a parser, and costs as little as one.
 */
final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final @Nullable String field;

    private HttpProblem(int status, String code, @Nullable String field, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.field = field;
    }

    /** A field that is missing, unknown, of the wrong type or out of range. */
    static HttpProblem field(String field, String message) {
        return new HttpProblem(400, "invalid_field", field, message);
    }

    /** A field that exists in the documents but not in this version. */
    static HttpProblem notSupported(String field, String message) {
        return new HttpProblem(400, "not_supported", field, message);
    }

    /** A body that is no JSON object, with the place where it stops being one. */
    static HttpProblem malformed(String message) {
        return new HttpProblem(400, "malformed_json", null, message);
    }

    static HttpProblem of(int status, String code, String message) {
        return new HttpProblem(status, code, null, message);
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    @Nullable
    String field() {
        return field;
    }

    /** The same problem, seen from an enclosing object: {@code releases[3].outcome}. */
    HttpProblem inside(String prefix) {
        if (field == null) {
            return this;
        }
        return new HttpProblem(status, code, prefix + "." + field, message());
    }

    String message() {
        String message = getMessage();
        return message == null ? code : message;
    }
}
