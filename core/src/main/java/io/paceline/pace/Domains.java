package io.paceline.pace;

import crawlercommons.domains.EffectiveTldFinder;
import org.jspecify.annotations.Nullable;

/**
 * Registrable domains by the public suffix list, its private part included: {@code a.github.io} and {@code b.github.io}
 * are different people's sites.
 *
 * <p>The list is read at the first question (it costs about a fifth of a second), so a process that never asks never
 * pays.
 */
final class Domains {
    private Domains() {}

    /** The registrable domain of a canonical host, or the host itself: address, single label, public suffix. */
    static String registrable(String host) {
        if (host.indexOf('.') < 0 || Hosts.isAddressLiteral(host)) {
            return host;
        }
        if (EffectiveTldFinder.getEffectiveTLD(host) == null) {
            return lastTwoLabels(host);
        }
        @Nullable String domain = EffectiveTldFinder.getAssignedDomain(host, true, false);
        return domain == null ? host : domain;
    }

    /** The list's own default: a top-level domain that it does not know is a public suffix. */
    private static String lastTwoLabels(String host) {
        int last = host.lastIndexOf('.');
        int before = host.lastIndexOf('.', last - 1);
        return host.substring(before + 1);
    }
}
