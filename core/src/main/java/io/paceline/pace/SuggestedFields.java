package io.paceline.pace;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Header fields that are configured for the requests of a target or a rule: {@code headers}. Names are compared without
 * regard to case. What frames a message, or proves who somebody is, cannot be suggested.
 */
public final class SuggestedFields {
    public static final String USER_AGENT = "User-Agent";

    private static final int MOST = 20;
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}");
    private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]{0,1022}[!-~])?");
    private static final Set<String> NEVER = Set.of(
            "host",
            "content-length",
            "content-type",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "authorization",
            "proxy-authorization",
            "cookie");

    private SuggestedFields() {}

    /**
     * The same fields in the order of their names.
     *
     * @throws IllegalArgumentException naming the field that cannot be suggested; the message does not show its value
     */
    static Map<String, String> checked(Map<String, String> fields) {
        if (fields.size() > MOST) {
            throw new IllegalArgumentException(
                    "headers are " + fields.size() + ": at most " + MOST + " can be suggested");
        }
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.forEach((name, value) -> {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "headers: \"" + Hosts.shown(name) + "\" is no name of a header field");
            }
            if (NEVER.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("headers: " + name + " cannot be suggested: it belongs to the"
                        + " connection, the body or the account, and the client sets it");
            }
            if (!VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "headers: the value of " + name + " must be printable ASCII, at most 1024 characters");
            }
            if (all.put(name, value) != null) {
                throw new IllegalArgumentException("headers: " + name + " is given twice: keep one of them");
            }
        });
        return Collections.unmodifiableMap(all);
    }

    /** The wider fields, with the narrower ones in place of those of the same name. */
    static Map<String, String> merged(Map<String, String> wider, Map<String, String> narrower) {
        if (narrower.isEmpty() || wider.isEmpty()) {
            return narrower.isEmpty() ? wider : narrower;
        }
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(wider);
        all.putAll(narrower);
        return Collections.unmodifiableMap(all);
    }
}
