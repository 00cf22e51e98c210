package io.paceline.pace;

/** Paths compared by what they mean: {@code %73hop} is {@code shop} (RFC 3986, section 6.2.2.2). */
final class PathText {
    private PathText() {}

    /** The text with %-escapes of unreserved characters resolved and the digits of the others in upper case. */
    static String unescaped(String path) {
        int percent = path.indexOf('%');
        if (percent < 0) {
            return path;
        }
        StringBuilder text = new StringBuilder(path.length()).append(path, 0, percent);
        for (int i = percent; i < path.length(); i++) {
            char c = path.charAt(i);
            int octet = c == '%' ? octet(path, i + 1) : -1;
            if (octet < 0) {
                text.append(c);
                continue;
            }
            if (isUnreserved(octet)) {
                text.append((char) octet);
            } else {
                text.append('%')
                        .append(Character.toUpperCase(path.charAt(i + 1)))
                        .append(Character.toUpperCase(path.charAt(i + 2)));
            }
            i += 2;
        }
        return text.toString();
    }

    private static int octet(String path, int at) {
        if (at + 2 > path.length()) {
            return -1;
        }
        int high = hex(path.charAt(at));
        int low = hex(path.charAt(at + 1));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
