package io.paceline.service.record;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a record is written, and how large it may grow.
 *
 * @param file the newest half; {@code FILE.1} beside it holds the older one
 * @param maxOctets both together never take more
 */
public record RecordSettings(Path file, long maxOctets) {

    public static final String DEFAULT_MAX = "1GiB";

    private static final Pattern SIZE =
            Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)?", Pattern.CASE_INSENSITIVE);

    /** @throws IllegalArgumentException with what to write instead */
    public static long octets(String text) {
        Matcher size = SIZE.matcher(text.trim());
        if (size.matches()) {
            String unit = size.group(2) == null ? "b" : size.group(2).toLowerCase(Locale.ROOT);
            int shift = 10 * "bkmgt".indexOf(unit.charAt(0));
            long number = Long.parseLong(size.group(1));
            if (number <= Long.MAX_VALUE >> shift) {
                return Math.max(number << shift, 0);
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no size: write 1GiB, 500MiB or a number of octets");
    }
}
