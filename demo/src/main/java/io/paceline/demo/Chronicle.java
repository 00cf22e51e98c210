package io.paceline.demo;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What came to pass in a crawl that met trouble: reads the decision log, and knows the truth. For one thread. Times are
 * seconds of the crawl, and negative where it has not happened.
 */
final class Chronicle {
    private final Trouble trouble;
    private final Map<String, Known> addresses;
    private final long startMillis;
    private final List<Entry> entries = new ArrayList<>();
    private final Set<String> found = new HashSet<>();
    /** Who is held guilty or dead now. */
    private final Set<String> held = new HashSet<>();
    /** Which addresses and cells are out now. */
    private final Set<String> out = new HashSet<>();

    private final Set<String> rightlyOut = new HashSet<>();
    private final Set<String> falselyOut = new HashSet<>();
    private int wrongVerdicts;
    private double beganAt = -1;
    private double endedAt = -1;
    private double verdictAt = -1;
    private double foundAt = -1;
    private double wellAt = -1;

    /**
     * An address of the pool.
     *
     * @param host as sites see it
     */
    record Known(String host, String provider) {}

    /** Something to be told. */
    record Entry(double second, String what, String text) {}

    /**
     * @param addresses by id
     * @param startMillis when the crawl began, since 1970
     */
    Chronicle(Trouble trouble, Map<String, Known> addresses, long startMillis) {
        this.trouble = trouble;
        this.addresses = Map.copyOf(addresses);
        this.startMillis = startMillis;
    }

    Entry began(double second) {
        beganAt = second;
        return tell(second, "trouble", trouble.beginning());
    }

    Entry worsened(double second, String text) {
        return tell(second, "trouble", text);
    }

    Entry ended(double second) {
        endedAt = second;
        noteWell(second);
        return tell(second, "trouble_over", "the trouble is over");
    }

    /** Takes what the decision log has new, and says what of it is to be told: each finding, and transitions counted. */
    List<Entry> take(List<LogEntry> news) {
        List<Entry> told = new ArrayList<>();
        Map<String, List<LogEntry>> moves = new LinkedHashMap<>();
        for (LogEntry entry : news) {
            if (entry.isFinding()) {
                finding(entry);
                told.add(tell(second(entry), entry.what(), text(entry)));
            } else if (entry.isTransition()) {
                transition(entry);
                String kind = (entry.target().isEmpty() ? "" : "cell ") + entry.what();
                moves.computeIfAbsent(kind, word -> new ArrayList<>()).add(entry);
            }
        }
        moves.forEach((what, alike) -> told.add(tell(second(alike.get(0)), what, text(what, alike))));
        return told;
    }

    private void finding(LogEntry entry) {
        if (!entry.isAgainst()) {
            held.remove(entry.name());
            noteWell(second(entry));
            return;
        }
        held.add(entry.name());
        if (trouble.names(entry) && beganAt >= 0) {
            found.add(entry.name());
            verdictAt = verdictAt < 0 ? second(entry) : verdictAt;
            foundAt = found.size() == trouble.verdicts() ? second(entry) : foundAt;
        } else if (!(entry.isControlUrl() && trouble.takesControlUrls())) {
            wrongVerdicts++;
        }
    }

    private void transition(LogEntry entry) {
        if (entry.leavesService()) {
            out.add(entry.subject());
            boolean right = beganAt >= 0 && trouble.strikes(known(entry).provider());
            (right ? rightlyOut : falselyOut).add(entry.subject());
        } else if (entry.returns()) {
            out.remove(entry.subject());
            noteWell(second(entry));
        }
    }

    private void noteWell(double second) {
        if (endedAt >= 0 && wellAt < 0 && isWell()) {
            wellAt = Math.max(second, endedAt);
        }
    }

    private Known known(LogEntry entry) {
        return addresses.getOrDefault(entry.address(), new Known(entry.address(), ""));
    }

    private static String text(LogEntry entry) {
        return entry.isControlUrl()
                ? "control URL " + entry.name() + " is " + entry.what() + ": " + entry.reason()
                : entry.reason();
    }

    /** {@code 3 addresses: quarantined (the first: 5 failures in ...)}. */
    private String text(String what, List<LogEntry> alike) {
        boolean cells = what.startsWith("cell ");
        LogEntry first = alike.get(0);
        String word = first.what().replace('_', '-');
        String who = alike.size() == 1
                ? known(first).host() + (cells ? " on " + first.target() : "")
                : alike.size() + (cells ? " addresses on one site each" : " addresses");
        return who + ": " + word + " (" + (alike.size() == 1 ? "" : "the first: ") + first.reason() + ")";
    }

    private double second(LogEntry entry) {
        return (entry.millis() - startMillis) / 1_000.0;
    }

    private Entry tell(double second, String what, String text) {
        Entry entry = new Entry(second, what, text);
        entries.add(entry);
        return entry;
    }

    // ---- what is known by now

    List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Whether all that is wrong was named. */
    boolean isFound() {
        return foundAt >= 0;
    }

    /** Whether nobody is held guilty and nobody is out. */
    boolean isWell() {
        return held.isEmpty() && out.isEmpty();
    }

    /** Whether something of it was named. */
    boolean isNoticed() {
        return verdictAt >= 0;
    }

    double beganAt() {
        return beganAt;
    }

    double endedAt() {
        return endedAt;
    }

    /** From the beginning to the first right verdict. */
    double verdictSeconds() {
        return verdictAt < 0 ? -1 : verdictAt - beganAt;
    }

    /** From the end until nobody was held guilty and nobody was out any more. */
    double recoverySeconds() {
        return wellAt < 0 ? -1 : wellAt - endedAt;
    }

    int wrongVerdicts() {
        return wrongVerdicts;
    }

    /** Addresses, and addresses on one site, that were put out and are innocent. */
    int falseQuarantines() {
        return falselyOut.size();
    }

    int rightQuarantines() {
        return rightlyOut.size();
    }
}
