package io.paceline.pace;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A text that every host contains that a regular expression matches: {@code shop} for {@code .*shop[0-9]*\..*}. To look for
 * it costs a hundredth of a match, and mostly there is no need of one.
 *
 * <p>A look at the expression, on the safe side: where it is not plain, there is none. Of several the longest.
 */
final class RequiredText {
    /** Escapes of one letter that stand for a class or a place, after which the text goes on as before. */
    private static final String CLASSES = "dDwWsSbBAz";

    private final String expression;
    private final StringBuilder run = new StringBuilder();
    private String longest = "";
    private int at;
    private int depth;

    private RequiredText(String expression) {
        this.expression = expression;
    }

    static @Nullable String of(String expression) {
        RequiredText reading = new RequiredText(expression);
        return reading.read() && !reading.longest.isEmpty() ? reading.longest.toLowerCase(Locale.ROOT) : null;
    }

    /** False where a choice makes every text optional, or where something is not understood. */
    private boolean read() {
        while (at < expression.length()) {
            char c = expression.charAt(at++);
            boolean understood = switch (c) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> group(1);
                case ')' -> group(-1);
                case '|' -> depth > 0;
                case '?', '*', '{' -> optional();
                case '.', '+', '}', '^', '$' -> endRun();
                default -> literal(c);
            };
            if (!understood) {
                return false;
            }
        }
        return endRun() && depth == 0;
    }

    private boolean escape() {
        if (at == expression.length()) {
            return false;
        }
        char c = expression.charAt(at++);
        if (CLASSES.indexOf(c) >= 0) {
            return endRun();
        }
        return !Character.isLetterOrDigit(c) && literal(c);
    }

    /** Skips to its end. A class of a name inside, [[:alpha:]], is left alone. */
    private boolean characterClass() {
        endRun();
        at += at < expression.length() && expression.charAt(at) == '^' ? 1 : 0;
        at += at < expression.length() && expression.charAt(at) == ']' ? 1 : 0;
        while (at < expression.length() && expression.charAt(at) != ']') {
            if (expression.charAt(at) == '[') {
                return false;
            }
            at += expression.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
        return true;
    }

    private boolean group(int step) {
        depth += step;
        return endRun();
    }

    /** What stands before may be absent: its last character is not required. Counts in braces are read as text and dropped. */
    private boolean optional() {
        if (run.length() > 0) {
            run.setLength(run.length() - 1);
        }
        endRun();
        if (expression.charAt(at - 1) == '{') {
            int end = expression.indexOf('}', at);
            at = end < 0 ? expression.length() : end + 1;
        }
        return true;
    }

    /** Beyond ASCII, letters have other cases that a plain comparison does not know. */
    private boolean literal(char c) {
        if (c > 127) {
            return false;
        }
        if (depth == 0) {
            run.append(c);
        }
        return true;
    }

    private boolean endRun() {
        if (run.length() > longest.length()) {
            longest = run.toString();
        }
        run.setLength(0);
        return true;
    }
}
