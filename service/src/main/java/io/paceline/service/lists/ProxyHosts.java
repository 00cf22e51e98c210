package io.paceline.service.lists;

import io.paceline.pace.BadTargetException;
import io.paceline.pace.Hosts;
import java.util.regex.Pattern;

/** Hosts of upstream proxies: how sure one can be that a word is a host, and faults that never quote it. */
final class ProxyHosts {

    private static final Pattern NUMBER_AT_END = Pattern.compile("(?:.*\\.)?[0-9]+");
    private static final Pattern HEX_GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");
    private static final int IPV6_GROUPS = 8;

    private ProxyHosts() {}

    /** The one spelling of a host; an IPv6 literal comes in brackets and goes without. */
    static String canonical(String host) throws BadLineException {
        try {
            return Hosts.canonical(host);
        } catch (BadTargetException unfit) {
            // What the exception quotes may be a piece of a password that was taken for a host.
            throw new BadLineException(Fault.BAD_HOST, advice(host));
        }
    }

    private static String advice(String host) {
        if (host.startsWith("[")) {
            return "no IPv6 address inside the brackets: write [2001:db8::7]:3128";
        }
        if (NUMBER_AT_END.matcher(host).matches()) {
            return "the host is no address: write four numbers from 0 to 255, 198.51.100.7:8080";
        }
        return "the host is neither a name nor an address: write host:port, proxy.example.com:3128";
    }

    /** True for an address literal: firm ground among fields. */
    static boolean isLiteral(String canonical) {
        return Hosts.isAddressLiteral(canonical);
    }

    /** True for what is plainly a host: a literal, a name with a dot, localhost. A bare word may as well be a user. */
    static boolean isPlain(String canonical) {
        return isLiteral(canonical) || canonical.indexOf('.') >= 0 || canonical.equals("localhost");
    }

    /** True for an IPv6 literal without brackets, with or without something that may be its port. */
    static boolean isBareIpv6(String text) {
        int colon = text.lastIndexOf(':');
        return isIpv6(text) || (colon > 0 && isIpv6(text.substring(0, colon)));
    }

    /** True for a line like {@code 2001:db8::7:3128:user:password}. */
    static boolean startsLikeBareIpv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return false;
        }
        String[] groups = text.substring(0, gap).split(":", -1);
        for (String group : groups) {
            if (!HEX_GROUP.matcher(group).matches()) {
                return false;
            }
        }
        return groups.length < IPV6_GROUPS;
    }

    private static boolean mayBeInIpv6(int c) {
        return c == ':' || c == '.' || Character.digit(c, 16) >= 0;
    }

    private static boolean isIpv6(String text) {
        // Most lines are none, and an exception for each of a million would cost more than the rest of the reading.
        if (text.indexOf(':') < 0 || !text.chars().allMatch(ProxyHosts::mayBeInIpv6)) {
            return false;
        }
        try {
            Hosts.canonical(text);
            return true;
        } catch (BadTargetException notOne) {
            return false;
        }
    }
}
