package io.paceline.service.api;

import io.paceline.service.config.Nearest;
import java.util.Collection;

/** What to write in place of an unknown word. */
final class Hint {

    private Hint() {}

    /** {@code ; did you mean `target`?}, or the list of what there is where nothing is near. */
    static String of(String word, Collection<String> known) {
        return Nearest.to(word, known)
                .map(nearest -> "; did you mean `" + nearest + "`?")
                .orElseGet(() -> "; known are " + String.join(", ", known));
    }
}
