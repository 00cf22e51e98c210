package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one head, as they came: marks into its octets. What is passed on is copied octet for octet; text is made
 * only of the few values that decide something.
 */
final class Fields {
    /** No fields at all. */
    static final Fields EMPTY = new Fields(new byte[0]);

    private static final int MARKS = 4;

    private final byte[] octets;
    private int[] marks = new int[16 * MARKS];
    private int size;

    Fields(byte[] octets) {
        this.octets = octets;
    }

    void add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        int at = size * MARKS;
        if (at == marks.length) {
            marks = Arrays.copyOf(marks, 2 * marks.length);
        }
        marks[at] = nameStart;
        marks[at + 1] = nameEnd;
        marks[at + 2] = valueStart;
        marks[at + 3] = valueEnd;
        size++;
    }

    int size() {
        return size;
    }

    /** Whether the field has this name, which is given in lower case. */
    boolean is(int field, String lowerName) {
        int start = marks[field * MARKS];
        return marks[field * MARKS + 1] - start == lowerName.length() && startsWith(field, lowerName);
    }

    /** Whether the field's name begins with the prefix, which is given in lower case. */
    boolean startsWith(int field, String lowerPrefix) {
        int start = marks[field * MARKS];
        if (marks[field * MARKS + 1] - start < lowerPrefix.length()) {
            return false;
        }
        for (int i = 0; i < lowerPrefix.length(); i++) {
            if (lower(octets[start + i]) != lowerPrefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    int nameLength(int field) {
        return marks[field * MARKS + 1] - marks[field * MARKS];
    }

    /** The first letter of the name in lower case: what a filter looks at before it compares whole names. */
    int initial(int field) {
        return lower(octets[marks[field * MARKS]]);
    }

    String value(int field) {
        int start = marks[field * MARKS + 2];
        return new String(octets, start, marks[field * MARKS + 3] - start, StandardCharsets.ISO_8859_1);
    }

    /** The value of the first field of that name, or null. */
    @Nullable
    String first(String lowerName) {
        for (int i = 0; i < size; i++) {
            if (is(i, lowerName)) {
                return value(i);
            }
        }
        return null;
    }

    boolean has(String lowerName) {
        for (int i = 0; i < size; i++) {
            if (is(i, lowerName)) {
                return true;
            }
        }
        return false;
    }

    /** The values of all fields of that name, in order. */
    List<String> all(String lowerName) {
        List<String> values = List.of();
        for (int i = 0; i < size; i++) {
            if (is(i, lowerName)) {
                if (values.isEmpty()) {
                    values = new ArrayList<>(2);
                }
                values.add(value(i));
            }
        }
        return values;
    }

    /** The members of a comma-separated list over all fields of that name, in lower case; empty ones left out. */
    List<String> tokens(String lowerName) {
        List<String> tokens = List.of();
        for (String value : all(lowerName)) {
            for (String part : value.split(",", -1)) {
                String token = part.strip().toLowerCase(Locale.ROOT);
                if (!token.isEmpty()) {
                    if (tokens.isEmpty()) {
                        tokens = new ArrayList<>(4);
                    }
                    tokens.add(token);
                }
            }
        }
        return tokens;
    }

    /** Writes the field as {@code name: value CRLF}. */
    void write(int field, ByteBuf out) {
        int at = field * MARKS;
        out.writeBytes(octets, marks[at], marks[at + 1] - marks[at]);
        out.writeShort(':' << 8 | ' ');
        out.writeBytes(octets, marks[at + 2], marks[at + 3] - marks[at + 2]);
        out.writeShort('\r' << 8 | '\n');
    }

    private static int lower(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
    }
}
