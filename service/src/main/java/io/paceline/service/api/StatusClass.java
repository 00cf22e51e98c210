package io.paceline.service.api;

import io.paceline.Outcome;

/**
 * The outcome that a bare HTTP status suggests, for clients that send no {@code outcome}.
 *
 * <p>A status alone knows little, so this errs towards saying nothing about the address: only the two codes with which
 * sites turn clients away, 403 and 407 from the upstream itself, count against anything.
 *
 * <pre>
 * 1xx 2xx 3xx                    success
 * 403                            blocked
 * 407                            proxy_error (the upstream refused our credentials)
 * 408                            timeout
 * 429, 503 with Retry-After      rate_limited
 * other 4xx, 600 and above       neutral: the site answered, and said no
 * other 5xx                      target_error
 * </pre>
 */
final class StatusClass {

    private StatusClass() {}

    static Outcome.Kind of(int status, boolean retryAfter) {
        return switch (status) {
            case 403 -> Outcome.Kind.BLOCKED;
            case 407 -> Outcome.Kind.PROXY_ERROR;
            case 408 -> Outcome.Kind.TIMEOUT;
            case 429 -> Outcome.Kind.RATE_LIMITED;
            case 503 -> retryAfter ? Outcome.Kind.RATE_LIMITED : Outcome.Kind.TARGET_ERROR;
            default -> {
                if (status < 400) {
                    yield Outcome.Kind.SUCCESS;
                }
                yield status >= 500 && status < 600 ? Outcome.Kind.TARGET_ERROR : Outcome.Kind.NEUTRAL;
            }
        };
    }
}
