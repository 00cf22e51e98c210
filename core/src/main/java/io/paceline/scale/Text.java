package io.paceline.scale;

import java.util.Locale;

/** Figures as people read them in a reason. */
final class Text {

    private Text() {}

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    static String one(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
