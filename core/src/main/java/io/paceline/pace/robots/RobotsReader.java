package io.paceline.pace.robots;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a robots.txt line by line, for one crawler.
 *
 * <pre>
 *   line           after agent lines              after a rule
 *   User-agent     joins the group                begins a new group
 *   Allow          the first rule of the group    a further rule
 *   Disallow       the first rule of the group    a further rule
 *   Crawl-delay    for the agents named so far    for the group
 *   Request-rate   as Crawl-delay                 as Crawl-delay
 *   anything else  nothing                        nothing
 * </pre>
 *
 * <p>Blank lines mean nothing. Groups that name the same agent are one. Rules before any agent are nobody's. The misspellings
 * that the best-known parser accepts are accepted: the site's wish is plain. Used once.
 */
final class RobotsReader {
    private static final String EVERYBODY = "*";
    private static final int MOST_NOTES = 20;
    private static final int MOST_SHOWN = 200;
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("user-agent", "user-agent"),
            Map.entry("useragent", "user-agent"),
            Map.entry("user agent", "user-agent"),
            Map.entry("allow", "allow"),
            Map.entry("disallow", "disallow"),
            Map.entry("dissallow", "disallow"),
            Map.entry("dissalow", "disallow"),
            Map.entry("disalow", "disallow"),
            Map.entry("diasllow", "disallow"),
            Map.entry("disallaw", "disallow"),
            Map.entry("crawl-delay", "crawl-delay"),
            Map.entry("crawldelay", "crawl-delay"),
            Map.entry("request-rate", "request-rate"));
    private static final Pattern DELAY = Pattern.compile("\\d{1,18}(?:\\.\\d{0,18})?|\\.\\d{1,18}");
    private static final Pattern RATE = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{1,9})\\s*([smh]?)\\b.*");

    /** What groups for one name say, taken together. */
    private static final class Merged {
        final List<RobotsRule> rules = new ArrayList<>();
        boolean named;

        @Nullable
        Duration delay;
    }

    private final String agent;
    private final Merged own = new Merged();
    private final Merged everybodys = new Merged();
    private final List<String> notes = new ArrayList<>();
    /** Whether the group at hand names this crawler, and whether it names everybody. */
    private boolean inOwn;

    private boolean inEverybodys;
    private boolean ruleSeen = true;
    private int line;

    RobotsReader(String agent) {
        this.agent = token(agent);
    }

    Robots read(byte[] octets) {
        String text = text(octets);
        boolean page = text.stripLeading().startsWith("<");
        if (page) {
            note("robots.txt is a web page and holds no rules");
        } else {
            lines(text);
        }
        boolean mine = own.named;
        Merged said = mine ? own : everybodys;
        String group = mine ? agent : everybodys.named ? EVERYBODY : null;
        return new Robots(group, said.rules, said.delay, page, notes);
    }

    /** One character for each octet; no byte order mark, and nothing of a line that the limit cuts through. */
    private String text(byte[] octets) {
        Charset wide = wide(octets);
        byte[] narrow = wide == null ? octets : new String(octets, wide).getBytes(StandardCharsets.UTF_8);
        int start = markLength(narrow);
        int end = Math.min(narrow.length, Robots.MAX_OCTETS);
        if (end < narrow.length) {
            note("only the first " + Robots.MAX_OCTETS + " octets were read");
            while (end > start && narrow[end - 1] != '\n' && narrow[end - 1] != '\r') {
                end--;
            }
        }
        return new String(narrow, start, end - start, StandardCharsets.ISO_8859_1);
    }

    private static @Nullable Charset wide(byte[] octets) {
        boolean marked = octets.length >= 2
                && ((octets[0] == (byte) 0xFF && octets[1] == (byte) 0xFE)
                        || (octets[0] == (byte) 0xFE && octets[1] == (byte) 0xFF));
        return marked ? StandardCharsets.UTF_16 : null;
    }

    /** Of a mark that was cut short, too, nothing is read. */
    private static int markLength(byte[] octets) {
        byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
        int length = 0;
        while (length < mark.length && length < octets.length && octets[length] == mark[length]) {
            length++;
        }
        return length;
    }

    private void lines(String text) {
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            line++;
            line(text.substring(start, end));
            start = end + (text.startsWith("\r\n", end) ? 2 : 1);
        }
    }

    private void line(String written) {
        int comment = written.indexOf('#');
        String content = trim(comment < 0 ? written : written.substring(0, comment));
        int separator = separator(content);
        String field = separator < 0
                ? null
                : FIELDS.get(trim(content.substring(0, separator)).toLowerCase(Locale.ROOT));
        if (field == null) {
            return;
        }
        String value = trim(content.substring(separator + 1));
        switch (field) {
            case "user-agent" -> agentLine(value);
            case "allow", "disallow" -> ruleLine(field.equals("allow"), value, content);
            case "crawl-delay" -> delay(crawlDelay(value), content);
            default -> delay(requestRate(value), content);
        }
    }

    /** The colon, or the blank in its place where it was forgotten. */
    private static int separator(String content) {
        int colon = content.indexOf(':');
        if (colon >= 0) {
            return colon;
        }
        for (int i = 0; i < content.length(); i++) {
            if (content.charAt(i) == ' ' || content.charAt(i) == '\t') {
                return i;
            }
        }
        return -1;
    }

    private void agentLine(String value) {
        if (ruleSeen) {
            inOwn = false;
            inEverybodys = false;
            ruleSeen = false;
        }
        boolean everybody = value.startsWith(EVERYBODY) && (value.length() == 1 || value.charAt(1) <= ' ');
        if (everybody) {
            inEverybodys = true;
            everybodys.named = true;
        } else if (!agent.isEmpty() && token(value).equals(agent)) {
            inOwn = true;
            own.named = true;
        }
    }

    private void ruleLine(boolean allow, String value, String content) {
        ruleSeen = true;
        if (value.isEmpty()) {
            return;
        }
        if (value.charAt(0) != '/' && value.charAt(0) != '*') {
            if (inOwn || inEverybodys) {
                note("line " + line + " fits no path, since it begins with neither / nor *");
            }
            return;
        }
        RobotsRule rule = new RobotsRule(allow, Octets.ofPattern(value), line, shown(content));
        if (inOwn) {
            own.rules.add(rule);
        }
        if (inEverybodys) {
            everybodys.rules.add(rule);
        }
    }

    private void delay(@Nullable Duration asked, String content) {
        if (!inOwn && !inEverybodys) {
            return;
        }
        if (asked == null) {
            note("line " + line + " gives no time and was passed over: " + shown(content));
            return;
        }
        boolean capped = asked.compareTo(Robots.MAX_CRAWL_DELAY) > 0;
        if (capped) {
            note("line " + line + " asks for more than " + Robots.MAX_CRAWL_DELAY.toSeconds()
                    + " s and was cut to that");
        }
        Duration delay = capped ? Robots.MAX_CRAWL_DELAY : asked;
        if (inOwn) {
            own.delay = longer(own.delay, delay);
        }
        if (inEverybodys) {
            everybodys.delay = longer(everybodys.delay, delay);
        }
    }

    private static Duration longer(@Nullable Duration one, Duration other) {
        return one == null || one.compareTo(other) < 0 ? other : one;
    }

    private static @Nullable Duration crawlDelay(String value) {
        return DELAY.matcher(value).matches() ? seconds(new BigDecimal(value)) : null;
    }

    /** {@code pages/seconds}, with s, m or h after it; hours of the day are not looked at. */
    private static @Nullable Duration requestRate(String value) {
        Matcher rate = RATE.matcher(value);
        if (!rate.matches() || Long.parseLong(rate.group(1)) == 0) {
            return null;
        }
        long unit = rate.group(3).equals("m") ? 60 : rate.group(3).equals("h") ? 3_600 : 1;
        return seconds(BigDecimal.valueOf(Long.parseLong(rate.group(2)) * unit)
                .divide(new BigDecimal(rate.group(1)), 6, RoundingMode.CEILING));
    }

    private static Duration seconds(BigDecimal seconds) {
        BigDecimal most = BigDecimal.valueOf(Robots.MAX_CRAWL_DELAY.toSeconds() + 1);
        return Duration.ofNanos(seconds.min(most).movePointRight(9).longValue());
    }

    /** The product token that a User-Agent begins with, in lower case: what stands before a version or a remark. */
    static String token(String agent) {
        int end = 0;
        while (end < agent.length() && isTokenChar(agent.charAt(end))) {
            end++;
        }
        return agent.substring(0, end).toLowerCase(Locale.ROOT);
    }

    private static boolean isTokenChar(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    }

    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && text.charAt(start) <= ' ') {
            start++;
        }
        while (end > start && text.charAt(end - 1) <= ' ') {
            end--;
        }
        return text.substring(start, end);
    }

    private static String shown(String octets) {
        String text = new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    private void note(String note) {
        if (notes.size() < MOST_NOTES) {
            notes.add(note);
        }
    }
}
