package io.paceline.pace;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The domain that every host must end with that a regular expression matches: {@code example.com} for
 * {@code shop[0-9]+\.example\.com}. With it most regexes are found as other patterns are, by the labels of the host, and
 * tried only where they can match.
 *
 * <p>A look at the text, on the safe side: where it is not plain that whole labels stand at the end, there is none.
 */
final class LiteralTail {
    /** Escaped dots and labels, up to the end of the expression. */
    private static final Pattern TAIL = Pattern.compile("((?:\\\\\\.[A-Za-z0-9_-]+)+)\\$?$");

    private LiteralTail() {}

    static @Nullable String of(String expression) {
        Matcher tail = TAIL.matcher(expression);
        boolean unusual = expression.contains("\\Q") || expression.contains("[:");
        if (unusual || !tail.find() || escaped(expression, tail.start()) || hasChoice(expression)) {
            return null;
        }
        return tail.group(1).substring(2).replace("\\.", ".").toLowerCase(Locale.ROOT);
    }

    /** Whether the backslash at the place is itself behind one: then it is a backslash, and any character follows. */
    private static boolean escaped(String expression, int place) {
        int before = place;
        while (before > 0 && expression.charAt(before - 1) == '\\') {
            before--;
        }
        return (place - before) % 2 != 0;
    }

    /** Whether a | stands outside of groups, so that the end is the end of its last branch alone. */
    private static boolean hasChoice(String expression) {
        int depth = 0;
        boolean inClass = false;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (c == '\\') {
                i++;
            } else if (inClass) {
                inClass = c != ']';
            } else if (c == '[') {
                inClass = true;
                // A ] right at the start of a class is a member of it.
                i += i + 1 < expression.length() && expression.charAt(i + 1) == '^' ? 1 : 0;
                i += i + 1 < expression.length() && expression.charAt(i + 1) == ']' ? 1 : 0;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == '|' && depth == 0) {
                return true;
            }
        }
        return depth != 0 || inClass; // not understood
    }
}
