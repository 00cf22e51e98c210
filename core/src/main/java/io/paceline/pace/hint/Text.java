package io.paceline.pace.hint;

import java.util.ArrayList;
import java.util.List;

/** The few things about the text of fields that their readers share. */
final class Text {
    private static final int MOST_SHOWN = 80;

    private Text() {}

    /** Without the blanks and tabs around it, which are no part of a field's value. */
    static String trim(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && blank(value.charAt(start))) {
            start++;
        }
        while (end > start && blank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }

    /** The parts between separators, of which those inside double quotes are none. */
    static List<String> members(String value, char separator) {
        List<String> members = new ArrayList<>(2);
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                members.add(value.substring(start, i));
                start = i + 1;
            }
        }
        members.add(value.substring(start));
        return members;
    }

    /** For a log: one line, bounded. */
    static String shown(List<String> values) {
        String joined = String.join(", ", values).replaceAll("[^\\x20-\\x7e]", "?");
        return joined.length() <= MOST_SHOWN ? joined : joined.substring(0, MOST_SHOWN) + "...";
    }
}
