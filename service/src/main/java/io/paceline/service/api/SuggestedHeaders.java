package io.paceline.service.api;

import io.paceline.Lease;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Header fields that a request under a lease should carry: the honest user agent that is configured for its target, and a
 * language that fits the country of its address. One address always suggests the same, so a session is one client.
 */
final class SuggestedHeaders {
    private SuggestedHeaders() {}

    static Map<String, String> of(Lease lease) {
        String country = lease.address().tags().get("country");
        if (country == null && lease.userAgent() == null) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        if (lease.userAgent() != null) {
            headers.put("User-Agent", lease.userAgent());
        }
        String languages = country == null ? null : Languages.acceptedIn(country);
        if (languages != null) {
            headers.put("Accept-Language", languages);
        }
        return headers;
    }
}
