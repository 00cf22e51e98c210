package io.paceline.service.proxy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client says in its user name: {@code USER-session-ID-sesstime-MIN-country-CC-city-NAME-pool-NAME}, keys in any order.
 *
 * <p>USER has no hyphen; a value runs to the next known key, so that {@code session-acct-17-country-de} is the session
 * {@code acct-17}. {@code sessid} and {@code cc} are other words for {@code session} and {@code country}.
 *
 * @param clientId USER as written; may be empty
 * @param session the session key, or null
 * @param sessionTtl how long the session's address is kept ({@code sesstime}, in minutes), or null
 * @param pool the pool's name, or null
 * @param tags {@code country} in lower case, {@code city} as written
 */
record UserOptions(
        String clientId,
        @Nullable String session,
        @Nullable Duration sessionTtl,
        @Nullable String pool,
        Map<String, String> tags) {
    static final UserOptions NONE = new UserOptions("", null, null, null, Map.of());

    private static final Map<String, String> KEYS = Map.of(
            "session", "session",
            "sessid", "session",
            "sesstime", "sesstime",
            "country", "country",
            "cc", "country",
            "city", "city",
            "pool", "pool");

    /** A longer value is a mistake or an attack: every session key becomes a record in the store. */
    private static final int MAX_VALUE = 128;

    /** A day: longer sessions belong into the configuration. */
    private static final int MAX_MINUTES = 1_440;

    UserOptions {
        tags = Map.copyOf(tags);
    }

    /** @throws BadMessageException (400) naming the key that is unknown, repeated, or has no sensible value */
    static UserOptions parse(String userName) throws BadMessageException {
        int hyphen = userName.indexOf('-');
        String clientId = hyphen < 0 ? userName : userName.substring(0, hyphen);
        checkText("the user name", clientId);
        if (hyphen < 0) {
            return new UserOptions(clientId, null, null, null, Map.of());
        }
        Map<String, String> values = split(userName.substring(hyphen + 1));
        String minutes = values.get("sesstime");
        if (minutes != null && !values.containsKey("session")) {
            throw bad("sesstime says how long a session lasts, but there is no session");
        }
        Map<String, String> tags = new LinkedHashMap<>();
        String country = values.get("country");
        if (country != null) {
            tags.put("country", country(country));
        }
        String city = values.get("city");
        if (city != null) {
            tags.put("city", city);
        }
        Duration sessionTtl = minutes == null ? null : minutes(minutes);
        return new UserOptions(clientId, values.get("session"), sessionTtl, values.get("pool"), tags);
    }

    private static Map<String, String> split(String options) throws BadMessageException {
        Map<String, String> values = new LinkedHashMap<>();
        List<String> words = List.of(options.split("-", -1));
        int at = 0;
        while (at < words.size()) {
            String key = KEYS.get(words.get(at));
            if (key == null) {
                throw bad("'" + shown(words.get(at)) + "' is no option: session, sesstime, country, city and pool are");
            }
            int end = at + 1;
            while (end < words.size() && !KEYS.containsKey(words.get(end))) {
                end++;
            }
            String value = String.join("-", words.subList(at + 1, end));
            if (value.isEmpty()) {
                throw bad("option " + key + " has no value");
            }
            checkText("option " + key, value);
            if (values.put(key, value) != null) {
                throw bad("option " + key + " is given twice");
            }
            at = end;
        }
        return values;
    }

    private static Duration minutes(String value) throws BadMessageException {
        try {
            int minutes = Integer.parseInt(value);
            if (minutes >= 1 && minutes <= MAX_MINUTES) {
                return Duration.ofMinutes(minutes);
            }
        } catch (NumberFormatException notANumber) {
            // Said below, as for a number that is out of bounds.
        }
        throw bad("sesstime '" + shown(value) + "' is no number of minutes from 1 to " + MAX_MINUTES);
    }

    private static String country(String value) throws BadMessageException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.length() != 2 || !isLetter(lower.charAt(0)) || !isLetter(lower.charAt(1))) {
            throw bad("country '" + shown(value) + "' is not a code of two letters, such as de");
        }
        return lower;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static void checkText(String what, String value) throws BadMessageException {
        if (value.length() > MAX_VALUE) {
            throw bad(what + " is longer than " + MAX_VALUE + " characters");
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw bad(what + " has a control character");
            }
        }
    }

    private static String shown(String text) {
        String head = text.length() > 30 ? text.substring(0, 30) + "..." : text;
        return head.chars()
                .map(c -> c > ' ' && c < 127 ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static BadMessageException bad(String problem) {
        return new BadMessageException(400, "bad_options", "The proxy user name cannot be used: " + problem + ".");
    }
}
