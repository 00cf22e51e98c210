package io.paceline.service.supply;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last good copy of a fetched list, as it is kept on disk: four lines of text, then the list as it came.
 *
 * @param etag its version by the server's word, or null
 * @param lastModified when it was made by the server's word, or null
 * @param fetchedMicros when the server last said that it is good
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
record ListCopy(
        byte[] octets, @Nullable String etag, @Nullable String lastModified, long fetchedMicros) {

    private static final String FIRST_LINE = "paceline-list 1";

    /** The same list, found unchanged. */
    ListCopy confirmed(long nowMicros) {
        return new ListCopy(octets, etag, lastModified, nowMicros);
    }

    byte[] write() {
        String head = FIRST_LINE + "\n" + fetchedMicros + "\n" + line(etag) + "\n" + line(lastModified) + "\n";
        ByteArrayOutputStream all = new ByteArrayOutputStream(octets.length + head.length());
        all.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        all.writeBytes(octets);
        return all.toByteArray();
    }

    private static String line(@Nullable String value) {
        return value == null || value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 ? "" : value;
    }

    /** Empty where it is no copy, or one of another version. */
    static Optional<ListCopy> read(byte[] file) {
        String[] lines = new String[4];
        int at = 0;
        for (int i = 0; i < lines.length; i++) {
            int end = at;
            while (end < file.length && file[end] != '\n') {
                end++;
            }
            if (end == file.length) {
                return Optional.empty();
            }
            lines[i] = new String(file, at, end - at, StandardCharsets.UTF_8);
            at = end + 1;
        }
        if (!lines[0].equals(FIRST_LINE)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ListCopy(
                    Arrays.copyOfRange(file, at, file.length),
                    lines[2].isEmpty() ? null : lines[2],
                    lines[3].isEmpty() ? null : lines[3],
                    Long.parseLong(lines[1])));
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "ListCopy[" + octets.length + " octets, fetchedMicros=" + fetchedMicros + "]";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ListCopy that && Arrays.equals(octets, that.octets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(octets);
    }
}
