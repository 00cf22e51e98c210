package io.paceline.scale;

import java.util.List;

/**
 * One decision with its whole reason: what the policy wished, what each brake made of it, what is to be done.
 *
 * @param atMicros when
 * @param policy which policy wished
 * @param present workers starting or ready before
 * @param draining workers draining before
 * @param wish what the policy wanted and why
 * @param brakes the constraints that changed it, in order
 * @param allowed what came out
 * @param undrain draining workers to call back, the cheapest way to grow
 * @param start workers to start
 * @param drain workers to drain, idle ones first
 * @param note why nothing is done although something was allowed; empty otherwise
 * @param dryRun recorded only, to be carried out by nobody
 */
public record ScaleDecision(
        long atMicros,
        String policy,
        int present,
        int draining,
        Wish wish,
        List<Brake> brakes,
        int allowed,
        int undrain,
        int start,
        int drain,
        String note,
        boolean dryRun) {

    /** One constraint that changed the count. */
    public record Brake(String rule, int wanted, int allowed, String why) {}

    public ScaleDecision {
        brakes = List.copyOf(brakes);
    }

    /** The rule that had the last word: the last brake that changed the count, else the policy's own rule. */
    public String binding() {
        return brakes.isEmpty() ? wish.rule() : brakes.get(brakes.size() - 1).rule();
    }

    /** Whether anything is to be done. */
    public boolean acts() {
        return undrain + start + drain > 0;
    }

    /** One line for people: {@code 5 -> 8 (slots): wanted 12 (need: ...), slots allows 8 (...): start 3}. */
    public String toLine() {
        StringBuilder line = new StringBuilder(present + " -> " + allowed + " (" + binding() + "): " + policy
                + " wanted " + wish.workers() + " (" + wish.rule() + ": " + wish.reason() + ")");
        for (Brake brake : brakes) {
            line.append(", ").append(brake.rule()).append(" allows ").append(brake.allowed());
            line.append(" (").append(brake.why()).append(')');
        }
        append(line, "undrain", undrain);
        append(line, "start", start);
        append(line, "drain", drain);
        if (!note.isEmpty()) {
            line.append(": ").append(note);
        }
        return line.append(dryRun ? " [dry run]" : "").toString();
    }

    private static void append(StringBuilder line, String verb, int count) {
        if (count > 0) {
            line.append(": ").append(verb).append(' ').append(count);
        }
    }
}
