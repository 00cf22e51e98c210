package io.paceline.pace.robots;

import java.nio.charset.StandardCharsets;

/**
 * Paths and patterns in one form, so that equal ones are equal octet for octet (RFC 9309, section 2.2.2): what is
 * unreserved stands plain, everything outside the characters of a URI is %-escaped in upper case, and an escaped
 * reserved character stays escaped, since {@code %2F} is data and no slash.
 *
 * <p>A {@code *} or {@code $} that means itself is escaped in both (section 2.2.3).
 */
final class Octets {
    private static final String RESERVED = ":/?#[]@!$&'()*+,;=";
    private static final String HEX = "0123456789ABCDEF";

    private Octets() {}

    /** The path and query of a URL. */
    static String ofPath(String path) {
        return normal(new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1), true);
    }

    /** A pattern, of whose octets each is one character; its stars stay, and so does a dollar at its end. */
    static String ofPattern(String octets) {
        boolean anchored = octets.endsWith("$");
        String body = anchored ? octets.substring(0, octets.length() - 1) : octets;
        return normal(body, false) + (anchored ? "$" : "");
    }

    private static String normal(String octets, boolean starsAreData) {
        StringBuilder text = new StringBuilder(octets.length() + 16);
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            int escaped = c == '%' ? escaped(octets, i) : -1;
            if (escaped >= 0) {
                append(text, escaped, !isUnreserved(escaped));
                i += 2;
            } else if (c == '%') {
                text.append(c); // no escape, though it looks like one: left alone
            } else {
                boolean data = c == '$' || (c == '*' && starsAreData);
                append(text, c, data || !(isUnreserved(c) || RESERVED.indexOf(c) >= 0));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int octet, boolean escape) {
        if (escape) {
            text.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
        } else {
            text.append((char) octet);
        }
    }

    private static int escaped(String text, int percent) {
        if (percent + 2 >= text.length()) {
            return -1;
        }
        int high = hex(text.charAt(percent + 1));
        int low = hex(text.charAt(percent + 2));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }

    private static boolean isUnreserved(int c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    }
}
