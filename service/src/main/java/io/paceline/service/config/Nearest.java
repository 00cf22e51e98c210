package io.paceline.service.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a mistyped one was meant to be. */
public final class Nearest {

    private static final int MAX_TYPED = 64;

    private Nearest() {}

    /** The word with the smallest edit distance; empty where even that one is too far to be meant. */
    public static Optional<String> to(String word, Collection<String> known) {
        String typed = word.toLowerCase(Locale.ROOT).replace('-', '_');
        if (typed.length() > MAX_TYPED) {
            return Optional.empty();
        }
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(typed, candidate.replace('-', '_'));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return bestDistance <= Math.max(1, typed.length() / 3) ? Optional.of(best) : Optional.empty();
    }

    /** Edits of single letters, where two neighbours that have changed places are one (optimal string alignment). */
    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] oldest = before;
            before = last;
            last = row;
            row = oldest;
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                row[j] = Math.min(last[j - 1] + (same ? 0 : 1), Math.min(last[j], row[j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
        }
        return row[b.length()];
    }
}
