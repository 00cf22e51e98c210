package io.paceline.pace;

/** IPv4 addresses as text: the one spelling that is accepted, and the odd ones that are only recognised. */
final class Ipv4 {
    /** Not an address. */
    static final long NONE = -1;

    private Ipv4() {}

    /** The value of a dotted quad of decimal octets without leading zeros, or {@link #NONE}. */
    static long parse(String text) {
        return parse(text, 0, text.length());
    }

    static long parse(String text, int from, int end) {
        if (end - from < 7 || end - from > 15) {
            return NONE;
        }
        long value = 0;
        int octets = 0;
        int at = from;
        while (true) {
            int start = at;
            int octet = 0;
            while (at < end && isDigit(text.charAt(at)) && at - start < 3) {
                octet = octet * 10 + text.charAt(at) - '0';
                at++;
            }
            int digits = at - start;
            if (digits == 0 || octet > 255 || (digits > 1 && text.charAt(start) == '0')) {
                return NONE;
            }
            value = value << 8 | octet;
            octets++;
            if (octets == 4) {
                return at == end ? value : NONE;
            }
            if (at == end || text.charAt(at) != '.') {
                return NONE;
            }
            at++;
        }
    }

    static String format(long value) {
        return (value >> 24 & 255) + "." + (value >> 16 & 255) + "." + (value >> 8 & 255) + "." + (value & 255);
    }

    /**
     * The value that a lenient resolver would read, or {@link #NONE}: one to four parts, decimal, octal ({@code 017}) or
     * hexadecimal ({@code 0x7f}), the last filling the octets that are left (inet_aton of BSD; the WHATWG URL standard,
     * "IPv4 parser").
     */
    static long parseLeniently(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length > 4) {
            return NONE;
        }
        long value = 0;
        for (int i = 0; i < parts.length; i++) {
            long part = lenientPart(parts[i]);
            int octets = i < parts.length - 1 ? 1 : 5 - parts.length;
            if (part == NONE || part >= 1L << (8 * octets)) {
                return NONE;
            }
            value = value << (8 * octets) | part;
        }
        return value;
    }

    private static long lenientPart(String part) {
        int radix = 10;
        String digits = part;
        if (part.startsWith("0x") || part.startsWith("0X")) {
            radix = 16;
            digits = part.substring(2);
            if (digits.isEmpty()) {
                return 0;
            }
        } else if (part.length() > 1 && part.startsWith("0")) {
            radix = 8;
        }
        if (digits.isEmpty()) {
            return NONE;
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return NONE;
            }
            value = value * radix + digit;
            if (value >= 1L << 32) {
                return NONE;
            }
        }
        return value;
    }

    /** Whether the last label is a number, which no name's is: such a host is an IPv4 address or a mistake. */
    static boolean endsInNumber(String host) {
        int start = host.lastIndexOf('.') + 1;
        int end = host.length();
        if (start == end) {
            return false;
        }
        if (allDigits(host, start, end)) {
            return true;
        }
        return host.startsWith("0x", start) && allHex(host, start + 2, end);
    }

    private static boolean allDigits(String text, int from, int end) {
        for (int i = from; i < end; i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allHex(String text, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (!isDigit(c) && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
