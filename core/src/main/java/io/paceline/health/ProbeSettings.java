package io.paceline.health;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Active probes of a pool: what is asked through which addresses, and how often.
 *
 * @param urls control URLs, http or https, at least two of independent hosts; none means no active probes
 * @param idleMin an address that serves is probed after it has been neither used nor probed for this long at least,
 * @param idleMax and this long at most: each time is drawn between the two
 * @param perSecond probes that one instance begins at most in a second, above 0
 */
public record ProbeSettings(List<String> urls, Duration idleMin, Duration idleMax, double perSecond) {

    private static final ProbeSettings DEFAULTS =
            new ProbeSettings(List.of(), Duration.ofSeconds(30), Duration.ofSeconds(60), 10);

    public ProbeSettings {
        urls = List.copyOf(urls);
        Objects.requireNonNull(idleMin, "idleMin");
        Objects.requireNonNull(idleMax, "idleMax");
        if (idleMin.isZero() || idleMin.isNegative()) {
            throw new IllegalArgumentException("idle " + idleMin + " is not above 0");
        }
        if (idleMax.compareTo(idleMin) < 0) {
            throw new IllegalArgumentException("idle ends at " + idleMax + ", before it begins at " + idleMin);
        }
        if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("rate " + perSecond + " is not above 0");
        }
    }

    /** No control URLs, hence no active probes. */
    public static ProbeSettings defaults() {
        return DEFAULTS;
    }

    public ProbeSettings withUrls(List<String> others) {
        return new ProbeSettings(others, idleMin, idleMax, perSecond);
    }
}
