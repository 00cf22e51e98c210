package io.paceline.service.api;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the known word that a mistyped one was meant to be. */
final class Nearest {

    private Nearest() {}

    /** The word with the smallest edit distance, or null where even that one is too far to be meant. */
    static @Nullable String to(String word, Collection<String> known) {
        String typed = word.toLowerCase(Locale.ROOT);
        if (typed.length() > 64) {
            return null;
        }
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = isStartOf(typed, candidate) ? 1 : distance(typed, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return bestDistance <= Math.max(2, typed.length() / 3) ? best : null;
    }

    /** {@code "; did you mean `target`?"}, or the list of what there is where nothing is near. */
    static String hint(String word, Collection<String> known) {
        String nearest = to(word, known);
        return nearest == null ? "; known are " + String.join(", ", known) : "; did you mean `" + nearest + "`?";
    }

    /** {@code latency} for {@code latency_ms}, and the other way round. */
    private static boolean isStartOf(String a, String b) {
        return Math.min(a.length(), b.length()) >= 4 && (a.startsWith(b) || b.startsWith(a));
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
