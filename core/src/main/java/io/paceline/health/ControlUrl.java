package io.paceline.health;

import java.util.Locale;

/**
 * A control URL as an instance sees it, or what has just changed about it.
 *
 * @param name the URL without user, password and query: safe to show
 * @param alive whether its answers count
 * @param reason one sentence: why it is what it is
 * @param sinceMicros since when
 */
public record ControlUrl(String name, boolean alive, String reason, long sinceMicros) {

    /** The URL without what may be secret in it. */
    public static String nameOf(String url) {
        int end = url.length();
        for (int i = 0; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == '#') {
                end = i;
                break;
            }
        }
        int start = url.indexOf("://") < 0 ? 0 : url.indexOf("://") + 3;
        int path = url.indexOf('/', start);
        int at = url.lastIndexOf('@', (path < 0 || path > end ? end : path) - 1);
        String scheme = url.substring(0, start).toLowerCase(Locale.ROOT);
        return scheme + url.substring(at >= start ? at + 1 : start, end);
    }
}
