package io.paceline.pace.robots;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a robots.txt says to one crawler: the rules of the groups that name it, else those of the groups for everybody.
 *
 * <p>Immutable and thread-safe.
 */
public final class Robots {
    /** Octets that are read of a file; RFC 9309 asks for at least so many. */
    public static final int MAX_OCTETS = 500 * 1_024;

    /** The longest crawl delay that is obeyed. */
    public static final Duration MAX_CRAWL_DELAY = Duration.ofHours(1);

    /** Nothing is said, so everything is allowed. */
    public static final Robots SILENT = new Robots(null, List.of(), null, false, List.of());

    private static final String OWN_PATH = "/robots.txt";

    private final @Nullable String group;
    private final List<RobotsRule> rules;
    private final @Nullable Duration crawlDelay;
    private final boolean unreadable;
    private final List<String> notes;

    Robots(
            @Nullable String group,
            List<RobotsRule> rules,
            @Nullable Duration crawlDelay,
            boolean unreadable,
            List<String> notes) {
        this.group = group;
        this.rules = rules.stream().sorted(RobotsRule.DECIDING_FIRST).toList();
        this.crawlDelay = crawlDelay;
        this.unreadable = unreadable;
        this.notes = List.copyOf(notes);
    }

    /**
     * Reads a file for one crawler.
     *
     * @param agent its product token, or a User-Agent that begins with it
     */
    public static Robots parse(byte[] octets, String agent) {
        return new RobotsReader(agent).read(octets);
    }

    /** Whether path and query, as they stand in the URL, may be fetched. A fragment is no part of them. */
    public RobotsVerdict check(String pathAndQuery) {
        int fragment = pathAndQuery.indexOf('#');
        String path = Octets.ofPath(fragment < 0 ? pathAndQuery : pathAndQuery.substring(0, fragment));
        if (path.equals(OWN_PATH)) {
            return RobotsVerdict.without(true, "robots.txt itself may always be fetched");
        }
        for (RobotsRule rule : rules) {
            if (rule.covers(path)) {
                return RobotsVerdict.by(rule);
            }
        }
        return RobotsVerdict.without(true, group == null ? "no group is for this agent" : "no line of the group fits");
    }

    /** The time between two requests that the site asks for, bounded by {@link #MAX_CRAWL_DELAY}; empty where it does not. */
    public Optional<Duration> crawlDelay() {
        return Optional.ofNullable(crawlDelay);
    }

    /** The agent whose group holds, {@code *} for everybody's; null where there is none. */
    public @Nullable String group() {
        return group;
    }

    /** True where a web page came in place of rules, which is no consent though it forbids nothing. */
    public boolean unreadable() {
        return unreadable;
    }

    /** What was passed over or put right, for a log. Bounded. */
    public List<String> notes() {
        return notes;
    }
}
