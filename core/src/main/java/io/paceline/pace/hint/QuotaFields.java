package io.paceline.pace.hint;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The families of fields that tell how much of a quota is left and when it is full again.
 *
 * <pre>
 *   RateLimit: "default";r=0;t=30             the current draft: a list, quota left and seconds to its renewal
 *   RateLimit: limit=100, remaining=0, reset=30   the draft before: a dictionary
 *   RateLimit-Remaining: 0  RateLimit-Reset: 30   the drafts before that
 *   X-RateLimit-Remaining   X-RateLimit-Reset     what they were made from: seconds or a point in time, by its size
 * </pre>
 *
 * <p>Sources: draft-ietf-httpapi-ratelimit-headers 03, 07 and 10.
 */
final class QuotaFields {
    private QuotaFields() {}

    /** A name that a site may give the time of renewal, and the one for what is left. */
    private record Family(String reset, String remaining) {}

    private static final List<Family> FAMILIES = List.of(
            new Family("ratelimit-reset", "ratelimit-remaining"),
            new Family("x-ratelimit-reset", "x-ratelimit-remaining"),
            new Family("x-rate-limit-reset", "x-rate-limit-remaining"),
            new Family("x-ratelimit-reset-after", "x-ratelimit-remaining"));

    /** A field and what it asks for. */
    record Found(String field, List<String> values, Wish wish) {}

    /**
     * The first family that asks for a wait, else the first that says anything, else null.
     *
     * @param refused whether the answer was a refusal for going too fast: then a time alone counts, and else only one whose
     *     quota is used up
     */
    static @Nullable Found read(FieldValues fields, boolean refused, long siteNowMicros) {
        Found first = null;
        List<String> current = fields.all("ratelimit");
        if (!current.isEmpty()) {
            first = new Found("RateLimit", current, structured(current, fields.all("ratelimit-policy"), refused));
        }
        for (Family family : FAMILIES) {
            if (first != null && first.wish.asksForWait()) {
                return first;
            }
            List<String> resets = fields.all(family.reset);
            if (!resets.isEmpty()) {
                Wish wish = wish(resets, fields.all(family.remaining), refused, siteNowMicros);
                if (first == null || wish.asksForWait()) {
                    first = new Found(family.reset, resets, wish);
                }
            }
        }
        return first;
    }

    private static Wish wish(List<String> resets, List<String> remaining, boolean refused, long siteNowMicros) {
        BigDecimal left = least(remaining);
        if (left == null ? !refused : left.signum() > 0) {
            return new Wish(0, "has quota left");
        }
        Wish longest = Wish.UNREADABLE;
        for (String value : resets) {
            for (String member : wholeDate(value, siteNowMicros) ? List.of(value) : Text.members(value, ',')) {
                longest = longest.or(reset(Text.trim(member), siteNowMicros));
            }
        }
        return longest;
    }

    private static boolean wholeDate(String value, long siteNowMicros) {
        return HttpDate.epochSeconds(Text.trim(value), siteNowMicros / 1_000_000)
                .isPresent();
    }

    private static Wish reset(String text, long siteNowMicros) {
        BigDecimal number = Wish.number(text);
        if (number != null) {
            return Wish.secondsOrEpoch(number, siteNowMicros);
        }
        OptionalLong date = HttpDate.epochSeconds(text, siteNowMicros / 1_000_000);
        if (date.isPresent()) {
            return Wish.until(date.getAsLong(), siteNowMicros);
        }
        try {
            // These fields have no standard, and some sites write ISO 8601.
            return Wish.until(Instant.parse(text).getEpochSecond(), siteNowMicros);
        } catch (DateTimeException noInstant) {
            return Wish.UNREADABLE;
        }
    }

    /** The smallest number among the values, each of which may carry parameters; null where there is none. */
    private static @Nullable BigDecimal least(List<String> values) {
        BigDecimal least = null;
        for (String value : values) {
            for (String member : Text.members(value, ',')) {
                BigDecimal number =
                        Wish.number(Text.trim(Text.members(member, ';').get(0)));
                if (number != null && (least == null || number.compareTo(least) < 0)) {
                    least = number;
                }
            }
        }
        return least;
    }

    // ---- structured fields

    /** The longest wait among the quotas that are used up; a quota that does not say when it is renewed is in a window. */
    private static Wish structured(List<String> values, List<String> policies, boolean refused) {
        Map<String, String> dictionary = new HashMap<>();
        Wish longest = new Wish(0, "has quota left");
        for (String value : values) {
            for (String member : Text.members(value, ',')) {
                List<String> parts = Text.members(member, ';');
                Map<String, String> parameters = parameters(parts.subList(1, parts.size()));
                if (parameters.isEmpty()) {
                    dictionary.putAll(parameters(parts));
                } else if (isZero(parameters.get("r"))) {
                    String seconds = parameters.getOrDefault("t", window(Text.trim(parts.get(0)), policies));
                    longest = longest.or(seconds(seconds));
                } else if (refused && !parameters.containsKey("r")) {
                    longest = longest.or(seconds(parameters.getOrDefault("t", "")));
                }
            }
        }
        String remaining = dictionary.get("remaining");
        if (isZero(remaining) || (refused && remaining == null)) {
            longest = longest.or(seconds(dictionary.getOrDefault("reset", "")));
        }
        return longest;
    }

    private static boolean isZero(@Nullable String text) {
        BigDecimal number = text == null ? null : Wish.number(text);
        return number != null && number.signum() == 0;
    }

    private static Wish seconds(String text) {
        BigDecimal number = Wish.number(text);
        return number == null ? Wish.UNREADABLE : Wish.seconds(number);
    }

    /** The window of the policy of that name; empty where none is told. */
    private static String window(String name, List<String> policies) {
        for (String value : policies) {
            for (String member : Text.members(value, ',')) {
                List<String> parts = Text.members(member, ';');
                if (Text.trim(parts.get(0)).equals(name)) {
                    return parameters(parts.subList(1, parts.size())).getOrDefault("w", "");
                }
            }
        }
        return "";
    }

    private static Map<String, String> parameters(List<String> parts) {
        Map<String, String> parameters = new HashMap<>();
        for (String part : parts) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                String name = Text.trim(part.substring(0, equals)).toLowerCase(Locale.ROOT);
                parameters.put(name, Text.trim(part.substring(equals + 1)));
            }
        }
        return parameters;
    }
}
