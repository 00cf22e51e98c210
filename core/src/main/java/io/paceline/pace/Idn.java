package io.paceline.pace;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Locale;

/**
 * International names to ASCII, the way browsers do it: UTS 46 without transitional processing, as far as names in use
 * need it.
 *
 * <p>{@link IDN} is IDNA 2003 and turns ß into ss and a final sigma into a common one, which are other domains today;
 * names with these two letters are therefore encoded here, all others by the JDK.
 */
final class Idn {
    private static final char SHARP_S = '\u00df';
    private static final char FINAL_SIGMA = '\u03c2';

    private Idn() {}

    /**
     * The name in ASCII, lower case; plain ASCII labels only lose their capitals.
     *
     * @throws IllegalArgumentException where a character or a length cannot be in a name
     */
    static String toAscii(String name) {
        // Characters of compatibility first: full-width letters and digits become the common ones.
        String folded = fold(Normalizer.normalize(fold(name), Normalizer.Form.NFKC));
        StringBuilder ascii = new StringBuilder(folded.length() + 16);
        int start = 0;
        for (int i = 0; i <= folded.length(); i++) {
            if (i == folded.length() || isDot(folded.charAt(i))) {
                ascii.append(label(folded.substring(start, i)));
                if (i < folded.length()) {
                    ascii.append('.');
                }
                start = i + 1;
            }
        }
        return ascii.toString();
    }

    /** Lower case letter by letter: neither the locale nor the place in a word plays a part. */
    private static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> folded.append(Character.toString(point).toLowerCase(Locale.ROOT)));
        return folded.toString();
    }

    private static boolean isDot(char c) {
        return c == '.' || c == '\u3002' || c == '\uff0e' || c == '\uff61';
    }

    private static String label(String label) {
        if (label.isEmpty()) {
            return label;
        }
        if (label.indexOf('\u200c') >= 0 || label.indexOf('\u200d') >= 0) {
            throw new IllegalArgumentException("it has a zero-width joiner: write the name in its xn-- form");
        }
        if (label.indexOf(SHARP_S) < 0 && label.indexOf(FINAL_SIGMA) < 0) {
            return byJdk(label);
        }
        // What the JDK would refuse in the label is refused here too: it sees the label with stand-ins.
        byJdk(label.replace(SHARP_S, '\u00e4').replace(FINAL_SIGMA, '\u03c3'));
        return "xn--" + punycode(label);
    }

    private static String byJdk(String label) {
        try {
            return IDN.toASCII(label, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // The JDK's own message quotes the label, control characters and all.
            throw new IllegalArgumentException("a character in it, or its length, is not possible in a name", e);
        }
    }

    // RFC 3492, section 6.3, with the parameters of section 5.
    private static final int BASE = 36;
    private static final int T_MIN = 1;
    private static final int T_MAX = 26;
    private static final int SKEW = 38;
    private static final int DAMP = 700;
    private static final int INITIAL_BIAS = 72;
    private static final int INITIAL_N = 128;

    static String punycode(String label) {
        int[] points = label.codePoints().toArray();
        StringBuilder out = new StringBuilder();
        for (int point : points) {
            if (point < INITIAL_N) {
                out.append((char) point);
            }
        }
        int basic = out.length();
        if (basic > 0) {
            out.append('-');
        }
        int n = INITIAL_N;
        int delta = 0;
        int bias = INITIAL_BIAS;
        int handled = basic;
        while (handled < points.length) {
            int next = Integer.MAX_VALUE;
            for (int point : points) {
                if (point >= n && point < next) {
                    next = point;
                }
            }
            delta += (next - n) * (handled + 1);
            n = next;
            for (int point : points) {
                if (point < n) {
                    delta++;
                } else if (point == n) {
                    appendNumber(out, delta, bias);
                    bias = adapt(delta, handled + 1, handled == basic);
                    delta = 0;
                    handled++;
                }
            }
            delta++;
            n++;
        }
        return out.toString();
    }

    private static void appendNumber(StringBuilder out, int delta, int bias) {
        int rest = delta;
        for (int k = BASE; ; k += BASE) {
            int threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
            if (rest < threshold) {
                out.append(digit(rest));
                return;
            }
            out.append(digit(threshold + (rest - threshold) % (BASE - threshold)));
            rest = (rest - threshold) / (BASE - threshold);
        }
    }

    /** a to z stand for 0 to 25, 0 to 9 for 26 to 35. */
    private static char digit(int value) {
        return (char) (value < 26 ? 'a' + value : '0' + value - 26);
    }

    private static int adapt(int delta, int points, boolean first) {
        int scaled = first ? delta / DAMP : delta / 2;
        scaled += scaled / points;
        int k = 0;
        while (scaled > (BASE - T_MIN) * T_MAX / 2) {
            scaled /= BASE - T_MIN;
            k += BASE;
        }
        return k + (BASE - T_MIN + 1) * scaled / (scaled + SKEW);
    }
}
