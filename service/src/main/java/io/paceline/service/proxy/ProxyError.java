package io.paceline.service.proxy;

/**
 * An answer of our own to a client: the status, a stable code for {@code X-Paceline-Error}, one sentence, and where
 * known how long to wait.
 *
 * @param status 4xx or 5xx
 * @param code snake_case, from a bounded set: it is a metric's label too
 * @param message one sentence for a person; never a credential, never an upstream's host
 * @param retryAfterSeconds for {@code Retry-After}; 0 where there is none
 */
record ProxyError(int status, String code, String message, long retryAfterSeconds) {

    /** Where nobody knows how long a wait will be: long enough not to be asked all the time. */
    private static final long UNKNOWN_WAIT_SECONDS = 5;

    ProxyError(int status, String code, String message) {
        this(status, code, message, 0);
    }

    static ProxyError authenticationRequired() {
        return new ProxyError(
                407,
                "proxy_authentication_required",
                "This proxy wants Proxy-Authorization: Basic with any user name and a valid token as the password.");
    }

    static ProxyError forbidden(String code, String message) {
        return new ProxyError(403, code, message);
    }

    static ProxyError badGateway(String code, String message) {
        return new ProxyError(502, code, message);
    }

    static ProxyError gatewayTimeout(String code, String message) {
        return new ProxyError(504, code, message);
    }

    static ProxyError loop() {
        return new ProxyError(508, "loop_detected", "This request has come back to the proxy that sent it.");
    }

    static ProxyError storeUnavailable() {
        return new ProxyError(
                503, "store_unavailable", "The gatekeeper's state cannot be reached.", UNKNOWN_WAIT_SECONDS);
    }

    /** What a refusal of the gatekeeper means to an HTTP client. */
    static ProxyError of(io.paceline.Decision.Refused refused) {
        long wait = refused.waitMicros() < 0
                ? UNKNOWN_WAIT_SECONDS
                : Math.max(1, (refused.waitMicros() + 999_999) / 1_000_000);
        String code = refused.reason().word();
        return switch (refused.reason()) {
            case RATE_LIMITED, QUOTA_EXCEEDED, QUEUE_FULL -> new ProxyError(429, code, refused.message(), wait);
            case NO_ADDRESS, STORE_UNAVAILABLE, SESSION_PAUSED, TICKET_EXPIRED ->
                new ProxyError(503, code, refused.message(), wait);
            case COST_ABOVE_LIMIT -> new ProxyError(400, code, refused.message());
            case ROBOTS_DISALLOWED -> new ProxyError(403, code, refused.message());
            case SESSION_ENDED -> new ProxyError(409, code, refused.message());
            case ELSEWHERE -> new ProxyError(421, code, refused.message());
        };
    }

    String reasonPhrase() {
        return switch (status) {
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 407 -> "Proxy Authentication Required";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 414 -> "URI Too Long";
            case 417 -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 508 -> "Loop Detected";
            default -> "Error";
        };
    }
}
