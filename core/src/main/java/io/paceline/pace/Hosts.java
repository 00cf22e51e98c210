package io.paceline.pace;

import java.net.InetAddress;
import java.util.Locale;

/**
 * Hosts as text: one canonical spelling for the rule, the bucket, robots.txt and the connection.
 *
 * <p>Stateless; never resolves a name.
 */
public final class Hosts {
    /** The longest name and the longest label of the domain system (RFC 1035, section 2.3.4). */
    private static final int MAX_NAME = 253;

    private static final int MAX_LABEL = 63;

    /** No name that is written longer than this, with whatever characters, comes out short enough. */
    private static final int MAX_WRITTEN = 4 * MAX_NAME;

    private Hosts() {}

    /**
     * The canonical spelling: lower case, international names in punycode, no final dot, IPv6 in its shortest form
     * without brackets, an IPv4-mapped IPv6 address as the IPv4 address that it is.
     *
     * <p>Underscores and hyphens may stand anywhere in a label, as they do in names in use.
     *
     * @throws BadTargetException where it can be no host; {@link BadTargetException#isForbidden()} where it is an IPv4
     *     address in an odd spelling ({@code 2130706433}, {@code 127.1}, {@code 0x7f.1}), whose meaning depends on who
     *     reads it
     */
    public static String canonical(String host) {
        int length = host.length();
        int labelStart = 0;
        for (int i = 0; i < length; i++) {
            char c = host.charAt(i);
            if (c == '.') {
                if (i == labelStart || i - labelStart > MAX_LABEL) {
                    return spelledOut(host);
                }
                labelStart = i + 1;
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) {
                return spelledOut(host);
            }
        }
        if (length == labelStart || length - labelStart > MAX_LABEL || length > MAX_NAME) {
            return spelledOut(host);
        }
        // No top-level domain begins with a digit, so almost every name is done here.
        char first = host.charAt(labelStart);
        return first >= '0' && first <= '9' ? withNumberAtEnd(host) : host;
    }

    /** Everything but a well-formed lower-case ASCII name. */
    private static String spelledOut(String host) {
        if (host.isEmpty()) {
            throw new BadTargetException("the host is empty: write a name such as www.example.com");
        }
        if (host.length() > MAX_WRITTEN) {
            throw new BadTargetException("host of " + host.length() + " characters is longer than " + MAX_NAME);
        }
        if (host.indexOf(':') >= 0 || host.charAt(0) == '[') {
            return ipv6(host);
        }
        String ascii = isAscii(host) ? host.toLowerCase(Locale.ROOT) : unicode(host);
        String name = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
        checkName(name, host);
        return withNumberAtEnd(name);
    }

    private static String ipv6(String host) {
        String inner = host;
        if (host.startsWith("[")) {
            if (!host.endsWith("]")) {
                throw new BadTargetException("host '" + shown(host) + "' opens a bracket that it does not close");
            }
            inner = host.substring(1, host.length() - 1);
        }
        if (inner.indexOf('%') >= 0) {
            throw new BadTargetException(
                    "host '" + shown(host) + "' has a zone id: leave out the % and what follows it");
        }
        int[] groups = Ipv6.parse(inner);
        if (groups == null) {
            throw new BadTargetException("host '" + shown(host) + "' is no IPv6 address; write it like [2001:db8::1]");
        }
        long mapped = Ipv6.mappedIpv4(groups);
        return mapped == Ipv4.NONE ? Ipv6.format(groups) : Ipv4.format(mapped);
    }

    private static String unicode(String host) {
        try {
            return Idn.toAscii(host);
        } catch (IllegalArgumentException e) {
            throw new BadTargetException(
                    "host '" + shown(host) + "' cannot be written as an international domain name: " + e.getMessage());
        }
    }

    private static void checkName(String name, String written) {
        if (name.length() > MAX_NAME) {
            throw new BadTargetException("host of " + name.length() + " characters is longer than " + MAX_NAME);
        }
        int labelStart = 0;
        for (int i = 0; i <= name.length(); i++) {
            char c = i < name.length() ? name.charAt(i) : '.';
            if (c == '.') {
                if (i == labelStart) {
                    throw new BadTargetException(
                            "host '" + shown(written) + "' has an empty label: take out the dot too many");
                }
                if (i - labelStart > MAX_LABEL) {
                    throw new BadTargetException(
                            "host '" + shown(written) + "' has a label longer than " + MAX_LABEL + " characters");
                }
                labelStart = i + 1;
            } else if (c == '%') {
                throw new BadTargetException(
                        "host '" + shown(written) + "' has a %-escape: write the characters themselves");
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) {
                throw new BadTargetException("host '" + shown(written) + "' has the character '" + shown("" + c)
                        + "', which no host name has: letters, digits, '-', '_' and '.' are possible");
            }
        }
    }

    /** A name whose last label is a number must be a dotted quad: resolvers take others for addresses too. */
    private static String withNumberAtEnd(String name) {
        if (!Ipv4.endsInNumber(name) || Ipv4.parse(name) != Ipv4.NONE) {
            return name;
        }
        long value = Ipv4.parseLeniently(name);
        if (value == Ipv4.NONE) {
            throw new BadTargetException("host '" + shown(name) + "' ends in a number but is no IPv4 address:"
                    + " four numbers from 0 to 255 are needed, such as 198.51.100.7");
        }
        throw BadTargetException.forbidden("host '" + shown(name) + "' is the IPv4 address " + Ipv4.format(value)
                + " in an odd spelling: write " + Ipv4.format(value));
    }

    /** Whether a canonical host is an address and not a name. */
    public static boolean isAddressLiteral(String canonicalHost) {
        return canonicalHost.indexOf(':') >= 0 || Ipv4.parse(canonicalHost) != Ipv4.NONE;
    }

    /**
     * Whether the text of a canonical host says that it is not a public site: an address of a private, local or reserved
     * range, also inside IPv6 (mapped, NAT64, 6to4, Teredo), or a name that never is public (localhost, and names under
     * localhost, local, localdomain, internal and home.arpa).
     */
    public static boolean isPrivate(String canonicalHost) {
        if (canonicalHost.indexOf(':') >= 0) {
            int[] groups = Ipv6.parse(canonicalHost);
            return groups == null || AddressRanges.isPrivate(groups);
        }
        long ipv4 = Ipv4.parse(canonicalHost);
        return ipv4 == Ipv4.NONE ? isPrivateName(canonicalHost) : AddressRanges.isPrivate(ipv4);
    }

    private static boolean isPrivateName(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return switch (last) {
            case "localhost", "local", "localdomain", "internal", "ip6-localhost", "ip6-loopback" -> true;
            case "arpa" -> name.equals("home.arpa") || name.endsWith(".home.arpa");
            default -> false;
        };
    }

    /** The same for an address that a name was resolved to; nothing is looked up. */
    public static boolean isPrivate(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) {
            return AddressRanges.isPrivate(Ipv6.quad(pair(octets, 0), pair(octets, 2)));
        }
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = pair(octets, 2 * i);
        }
        return AddressRanges.isPrivate(groups);
    }

    private static int pair(byte[] octets, int at) {
        return (octets[at] & 255) << 8 | (octets[at + 1] & 255);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 127) {
                return false;
            }
        }
        return true;
    }

    /** Text from outside, fit for a message: short, and no control characters that would break a log line. */
    static String shown(String text) {
        String head = text.length() > 80 ? text.substring(0, 80) + "..." : text;
        StringBuilder clean = new StringBuilder(head.length());
        head.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                clean.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                clean.append((char) c);
            }
        });
        return clean.toString();
    }
}
