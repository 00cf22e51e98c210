package io.paceline.service.lists;

import io.paceline.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A whole list of proxies: the usable ones in their order, and an account of the rest. One bad line never empties it.
 *
 * @param entries each proxy once, in the order of its first line
 * @param duplicates how many times a proxy was listed again; two spellings of one proxy count as the same
 * @param badLines how many lines cannot be read
 * @param bad the first {@value #BAD_LINES_KEPT} of them
 */
public record ProxyList(List<ProxyEntry> entries, int duplicates, int badLines, List<BadLine> bad) {

    /** The most proxies that one list may hold. */
    public static final int MAX_ENTRIES = 1_000_000;

    private static final int BAD_LINES_KEPT = 1_000;

    /**
     * A line that cannot be read.
     *
     * @param line counted from 1
     * @param message what is wrong and what to write instead; never a piece of the credentials
     */
    public record BadLine(int line, Fault fault, String message) {
        public BadLine {
            Objects.requireNonNull(fault, "fault");
            Objects.requireNonNull(message, "message");
        }

        @Override
        public String toString() {
            return "line " + line + ": " + message;
        }
    }

    public ProxyList {
        entries = List.copyOf(entries);
        bad = List.copyOf(bad);
    }

    /** Reads a file: lines in any mix of formats, or JSON. Never throws, whatever the bytes are. */
    public static ProxyList read(byte[] bytes) {
        return read(ListText.decode(bytes));
    }

    /** Reads a text of lines in any mix of formats, or JSON. */
    public static ProxyList read(String text) {
        return JsonFile.read(text).orElseGet(() -> lines(text));
    }

    private static ProxyList lines(String text) {
        Collector collector = new Collector();
        LineReader reader = new LineReader();
        int number = 0;
        for (String line : ListText.lines(text)) {
            collector.add(++number, reader.read(line));
        }
        return collector.list();
    }

    /** Gathers what the lines say. */
    static final class Collector {
        private final Map<Endpoint, ProxyEntry> entries = new LinkedHashMap<>();
        private final List<BadLine> bad = new ArrayList<>();
        private int duplicates;
        private int badLines;

        void add(int number, ProxyLine line) {
            if (line instanceof ProxyLine.Entries read) {
                if (entries.size() + read.entries().size() > MAX_ENTRIES) {
                    addBad(number, Fault.TOO_MANY, "more than " + MAX_ENTRIES + " proxies: split the list");
                    return;
                }
                read.entries().forEach(this::addEntry);
            } else if (line instanceof ProxyLine.Bad fault) {
                addBad(number, fault.fault(), fault.message());
            }
        }

        private void addEntry(ProxyEntry entry) {
            if (entries.putIfAbsent(entry.endpoint(), entry) != null) {
                duplicates++;
            }
        }

        private void addBad(int number, Fault fault, String message) {
            badLines++;
            if (bad.size() < BAD_LINES_KEPT) {
                bad.add(new BadLine(number, fault, message));
            }
        }

        ProxyList list() {
            return new ProxyList(new ArrayList<>(entries.values()), duplicates, badLines, bad);
        }
    }
}
