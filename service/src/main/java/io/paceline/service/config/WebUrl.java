package io.paceline.service.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** URLs that we ask ourselves, for lists and for supply. Path and query may hold keys, so that none is ever quoted. */
final class WebUrl {

    private WebUrl() {}

    /** @throws IllegalArgumentException where it is no http or https URL with a host */
    static void check(String text, String key) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null) {
                return;
            }
        } catch (URISyntaxException unfit) {
            throw new IllegalArgumentException(
                    key + " is no URL (character " + (unfit.getIndex() + 1) + " does not fit): write " + key
                            + ": \"https://lists.example.net/mine\", with %20 and its like for what a URL cannot have",
                    unfit);
        }
        throw new IllegalArgumentException(
                key + " is no http or https URL with a host: write " + key + ": \"https://lists.example.net/mine\"");
    }

    /** Scheme, host and port. */
    static String shown(String url) {
        int start = url.indexOf("://") + 3;
        int end = start;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        int at = url.lastIndexOf('@', end - 1);
        return url.substring(0, start).toLowerCase(Locale.ROOT) + url.substring(Math.max(start, at + 1), end);
    }
}
