package io.paceline.pace;

import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.domains.EffectiveTldFinder.EffectiveTLD;

/**
 * Registrable domains by the public suffix list, its private part included: {@code a.github.io} and {@code b.github.io}
 * are different people's sites.
 *
 * <p>The list is read at the first question; that costs a few tenths of a second, so a process that never asks never
 * pays.
 */
final class Domains {
    private Domains() {}

    /** The registrable domain of a canonical host, or the host itself: address, single label, public suffix. */
    static String registrable(String host) {
        if (host.indexOf('.') < 0 || Hosts.isAddressLiteral(host)) {
            return host;
        }
        EffectiveTLD suffix = EffectiveTldFinder.getEffectiveTLD(host);
        if (suffix == null) {
            return lastLabels(host, host.lastIndexOf('.'));
        }
        String listed = suffix.getDomain();
        // An exception of the list ("!city.kawasaki.jp") names the registrable domain itself.
        if (suffix.isException() || listed.length() >= host.length()) {
            return listed.length() < host.length() ? listed : host;
        }
        return lastLabels(host, host.length() - listed.length() - 1);
    }

    /**
     * The suffix after the dot and one label more. A top-level domain that the list does not know is a public suffix, by
     * the list's own default.
     */
    private static String lastLabels(String host, int dot) {
        return host.substring(host.lastIndexOf('.', dot - 1) + 1);
    }
}
