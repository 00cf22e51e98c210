package io.paceline.service.config;

import java.util.regex.Pattern;

/** Reads {@code robots}. */
final class RobotsReader {

    static final String DEFAULT_AGENT = "paceline";

    /** RFC 9309 allows letters, {@code _} and {@code -}; digits are in use, and the readers of the field take them. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z_-][A-Za-z0-9_-]{0,63}");

    private RobotsReader() {}

    static String agent(Section robots) {
        try (robots) {
            return robots.value("agent")
                    .flatMap(value -> value.parsed(RobotsReader::token))
                    .orElse(DEFAULT_AGENT);
        }
    }

    private static String token(String text) {
        if (TOKEN.matcher(text).matches()) {
            return text;
        }
        throw new IllegalArgumentException("agent \"" + text
                + "\" is no product token: write its name alone, letters, digits, - and _, such as agent: mybot");
    }
}
