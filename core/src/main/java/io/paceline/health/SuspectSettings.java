package io.paceline.health;

import java.time.Duration;

/**
 * What makes a suspect of an address or a cell: it goes on at half its weight until the signal is gone.
 *
 * @param window outcomes that are looked at, 10 to {@link SubjectRow#WINDOW}
 * @param failures so many failures make a suspect ...
 * @param failuresOf ... among so many newest outcomes, or in a row
 * @param minSuccess and so does a lower share of successes over the window, from {@link #LEAST_OUTCOMES} outcomes on
 * @param captchaShare of a cell: and so does this share of captchas, from {@link #LEAST_CAPTCHAS} captchas on
 * @param latencyFactor of an address: and so does a 95th percentile of latency more than so many times its own norm
 * @param dwell the signal must have been gone for so long
 */
public record SuspectSettings(
        int window,
        int failures,
        int failuresOf,
        double minSuccess,
        double captchaShare,
        double latencyFactor,
        Duration dwell) {

    static final int LEAST_OUTCOMES = 10;
    static final int LEAST_CAPTCHAS = 3;
    /** Below it nobody is slow, whatever the norm. */
    static final long LEAST_P95_MICROS = 10_000;

    private static final SuspectSettings DEFAULTS =
            new SuspectSettings(50, 3, 5, 0.70, 0.10, 3, Duration.ofSeconds(30));

    public SuspectSettings {
        if (window < LEAST_OUTCOMES || window > SubjectRow.WINDOW) {
            throw new IllegalArgumentException(
                    "window " + window + " is not between " + LEAST_OUTCOMES + " and " + SubjectRow.WINDOW);
        }
        if (failures < 1 || failuresOf < failures || failuresOf > window) {
            throw new IllegalArgumentException("fail_of [" + failures + ", " + failuresOf
                    + "] is not [failures, outcomes] with 1 <= failures <= outcomes <= window " + window);
        }
        if (!(minSuccess >= 0 && minSuccess <= 1)) {
            throw new IllegalArgumentException("min_success " + minSuccess + " is not between 0 and 1");
        }
        if (!(captchaShare > 0 && captchaShare <= 1)) {
            throw new IllegalArgumentException("captcha_share " + captchaShare + " is not above 0 and at most 1");
        }
        if (!(latencyFactor > 1)) {
            throw new IllegalArgumentException("latency_factor " + latencyFactor + " is not above 1");
        }
        if (dwell.isNegative()) {
            throw new IllegalArgumentException("dwell " + dwell + " is negative");
        }
    }

    public static SuspectSettings defaults() {
        return DEFAULTS;
    }
}
