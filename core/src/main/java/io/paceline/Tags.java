package io.paceline;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Tags that are asked for: {@code country} in lower case, so that DE and de mean the same group; all else as written. */
public final class Tags {
    static final String COUNTRY = "country";

    private Tags() {}

    /** An unmodifiable copy. */
    public static Map<String, String> normal(Map<String, String> tags) {
        String country = tags.get(COUNTRY);
        if (country == null || country.equals(country.toLowerCase(Locale.ROOT))) {
            return Map.copyOf(tags);
        }
        Map<String, String> copy = new HashMap<>(tags);
        copy.put(COUNTRY, country.toLowerCase(Locale.ROOT));
        return Map.copyOf(copy);
    }
}
