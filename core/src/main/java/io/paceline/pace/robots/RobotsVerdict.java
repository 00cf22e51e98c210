package io.paceline.pace.robots;

import org.jspecify.annotations.Nullable;

/**
 * Whether a URL may be fetched, and by what.
 *
 * @param line number of the deciding line, from 1; 0 where no line decides
 * @param text the deciding line as written; null where no line decides
 * @param why in words, for a person
 */
public record RobotsVerdict(
        boolean allowed, int line, @Nullable String text, String why) {

    static RobotsVerdict by(RobotsRule rule) {
        return new RobotsVerdict(rule.allow(), rule.line(), rule.text(), "line " + rule.line() + ": " + rule.text());
    }

    static RobotsVerdict without(boolean allowed, String why) {
        return new RobotsVerdict(allowed, 0, null, why);
    }
}
