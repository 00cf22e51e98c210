package io.paceline.service.lists;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes of a list as text, and text as lines. */
final class ListText {

    private ListText() {}

    /** UTF-8 unless a byte-order mark says otherwise; what is no UTF-8 becomes U+FFFD, by which its line is known. */
    static String decode(byte[] bytes) {
        if (startsWith(bytes, 0xFF, 0xFE)) {
            return text(bytes, 2, StandardCharsets.UTF_16LE);
        }
        if (startsWith(bytes, 0xFE, 0xFF)) {
            return text(bytes, 2, StandardCharsets.UTF_16BE);
        }
        return text(bytes, startsWith(bytes, 0xEF, 0xBB, 0xBF) ? 3 : 0, StandardCharsets.UTF_8);
    }

    /** Splits at LF, CR LF and lone CR; a text without a final line end loses nothing. */
    static List<String> lines(String text) {
        return text.lines().toList();
    }

    private static String text(byte[] bytes, int from, Charset charset) {
        return new String(bytes, from, bytes.length - from, charset);
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        if (bytes.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
