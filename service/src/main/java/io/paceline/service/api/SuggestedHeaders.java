package io.paceline.service.api;

import io.paceline.Lease;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Header fields that a request under a lease should carry: those that are configured for its rule and its target, the honest
 * user agent among them, and a language that fits the country of its address where none is configured. One address always
 * suggests the same, so a session is one client.
 */
final class SuggestedHeaders {
    private static final String LANGUAGES = "Accept-Language";

    private SuggestedHeaders() {}

    static Map<String, String> of(Lease lease) {
        String country = lease.address().tags().get("country");
        String languages =
                country == null || lease.headers().containsKey(LANGUAGES) ? null : Languages.acceptedIn(country);
        if (languages == null) {
            return lease.headers();
        }
        Map<String, String> headers = new LinkedHashMap<>(lease.headers());
        headers.put(LANGUAGES, languages);
        return headers;
    }
}
