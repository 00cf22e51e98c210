package io.paceline.service.lists;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-decoding of user names and passwords in URL forms. */
final class Percent {

    private Percent() {}

    /** Decodes runs of {@code %XX} as UTF-8; a lone {@code %}, or a run that is no UTF-8, is kept as written. */
    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder decoded = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = at;
            while (isEscape(text, end)) {
                end += 3;
            }
            if (end == at) {
                decoded.append(text.charAt(at++));
            } else {
                decoded.append(decodeRun(text.substring(at, end)));
                at = end;
            }
        }
        return decoded.toString();
    }

    private static boolean isEscape(String text, int at) {
        return at + 2 < text.length()
                && text.charAt(at) == '%'
                && Character.digit(text.charAt(at + 1), 16) >= 0
                && Character.digit(text.charAt(at + 2), 16) >= 0
                && text.charAt(at + 1) < 128
                && text.charAt(at + 2) < 128;
    }

    private static String decodeRun(String run) {
        byte[] bytes = new byte[run.length() / 3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(run.substring(3 * i + 1, 3 * i + 3), 16);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return run;
        }
    }
}
