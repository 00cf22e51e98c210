package io.paceline.service.config;

import io.paceline.pace.SuggestedFields;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code headers}, and {@code user_agent} as one of them, of a target or a rule. */
final class HeadersReader {
    private static final String EXAMPLE = "headers: {Accept: \"text/html\"}";
    private static final Pattern USER_AGENT = Pattern.compile("[!-~]([ -~]{0,510}[!-~])?");

    private HeadersReader() {}

    static Map<String, String> read(Section section) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        section.value("headers")
                .ifPresent(value -> value.entries(EXAMPLE)
                        .forEach((name, field) -> field.text().ifPresent(text -> headers.put(name, text))));
        honest(section, "headers", headers.get(SuggestedFields.USER_AGENT));
        return headers;
    }

    static Map<String, String> readWithUserAgent(Section section) {
        Map<String, String> headers = read(section);
        section.text("user_agent").ifPresent(agent -> {
            if (!USER_AGENT.matcher(agent).matches()) {
                section.error(
                        "user_agent",
                        "user_agent is no value of a User-Agent: write printable ASCII, at most 512"
                                + " characters, such as \"mybot/1.0 (+https://example.com/bot)\"");
                return;
            }
            if (headers.containsKey(SuggestedFields.USER_AGENT)) {
                section.error("user_agent", "user_agent and headers both set a User-Agent: keep one of them");
            }
            headers.put(SuggestedFields.USER_AGENT, agent);
            honest(section, "user_agent", agent);
        });
        return headers;
    }

    /** Search engines write {@code Mozilla/5.0 (compatible; mybot/1.0; +https://...)}: that is honest too. */
    private static void honest(Section section, String key, @Nullable String agent) {
        if (agent != null && agent.startsWith("Mozilla/") && !agent.contains("compatible;")) {
            section.warning(
                    key,
                    "the User-Agent \"" + agent
                            + "\" is a browser's: an honest one names the crawler and where to reach"
                            + " you, such as \"mybot/1.0 (+https://example.com/bot)\"");
        }
    }
}
