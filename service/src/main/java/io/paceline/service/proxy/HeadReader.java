package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of HTTP/1.x messages, strictly where they come from clients.
 *
 * <p>Two programs that read one message in two ways are the root of request smuggling, so a request with a bare LF or
 * CR, a folded field, or a space before a colon is refused and never repaired (RFC 9112, sections 2.2 and 5). Answers
 * come from all kinds of servers: there a bare LF ends a line, folds become spaces, and stray lines are left out, as the
 * RFC allows a proxy; they are written again in one well-formed way.
 *
 * <p>Looks at each octet once, however slowly they arrive. One instance for each direction of a connection.
 */
final class HeadReader {
    /** Empty lines in front of a request are skipped (RFC 9112, section 2.2); so many, and no more. */
    private static final int EMPTY_LINES = 4;

    private final ProxySettings.Heads limits;
    private int scanned;
    private int lineStart;
    private int emptyLines;
    private boolean firstLineSeen;

    HeadReader(ProxySettings.Heads limits) {
        this.limits = limits;
    }

    /** The next request, or null until all of its head has come. */
    @Nullable
    RequestHead request(ByteBuf in) throws BadMessageException {
        if (scanned == 0 && !skipEmptyLines(in)) {
            return null;
        }
        byte[] octets = complete(in, 414, 431);
        emptyLines = octets == null ? emptyLines : 0;
        return octets == null ? null : parseRequest(octets);
    }

    /** The next answer, or null until all of its head has come. */
    @Nullable
    ResponseHead response(ByteBuf in) throws BadMessageException {
        byte[] octets = complete(in, 502, 502);
        return octets == null ? null : parseResponse(octets);
    }

    /** The trailer section of a chunked body with its final empty line, or null until all of it has come. */
    @Nullable
    Fields trailers(ByteBuf in, boolean lenient) throws BadMessageException {
        firstLineSeen = true;
        byte[] octets = complete(in, 431, 431);
        return octets == null ? null : parseFields(octets, 0, lenient);
    }

    /** True where some octets of a head have come, but not all. */
    boolean isWithin() {
        return scanned > 0;
    }

    /** False where it cannot be told yet whether an empty line begins. */
    private boolean skipEmptyLines(ByteBuf in) {
        while (emptyLines < EMPTY_LINES && in.isReadable() && in.getByte(in.readerIndex()) == '\r') {
            if (in.readableBytes() < 2) {
                return false;
            }
            if (in.getByte(in.readerIndex() + 1) != '\n') {
                return true;
            }
            in.skipBytes(2);
            emptyLines++;
        }
        return true;
    }

    /** The octets up to and with the empty line, or null while they are too few. */
    private byte @Nullable [] complete(ByteBuf in, int longLine, int longHead) throws BadMessageException {
        int start = in.readerIndex();
        while (true) {
            int lf = in.indexOf(start + scanned, in.writerIndex(), (byte) '\n');
            int length = (lf < 0 ? in.writerIndex() : lf + 1) - start;
            if (!firstLineSeen && length > limits.requestLine()) {
                throw new BadMessageException(
                        longLine, "uri_too_long", "The first line is longer than " + limits.requestLine() + " octets.");
            }
            if (length > limits.total()) {
                throw new BadMessageException(
                        longHead, "header_too_large", "The head is longer than " + limits.total() + " octets.");
            }
            scanned = length;
            if (lf < 0) {
                return null;
            }
            int lineLength = length - lineStart;
            boolean empty = lineLength == 1 || (lineLength == 2 && in.getByte(lf - 1) == '\r');
            lineStart = length;
            if (empty && firstLineSeen) {
                byte[] octets = new byte[length];
                in.readBytes(octets);
                scanned = 0;
                lineStart = 0;
                firstLineSeen = false;
                return octets;
            }
            if (empty) {
                throw BadMessageException.malformed("The message begins with an empty line.");
            }
            firstLineSeen = true;
        }
    }

    private RequestHead parseRequest(byte[] o) throws BadMessageException {
        int end = lineEnd(o, 0, false);
        int methodEnd = indexOf(o, 0, end, ' ');
        int targetEnd = methodEnd < 0 ? -1 : indexOf(o, methodEnd + 1, end, ' ');
        if (methodEnd < 1 || targetEnd <= methodEnd + 1 || !isToken(o, 0, methodEnd)) {
            throw BadMessageException.malformed("The request line is not METHOD TARGET HTTP/1.1.");
        }
        for (int i = methodEnd + 1; i < targetEnd; i++) {
            int c = o[i] & 255;
            if (c <= ' ' || c == 127) {
                throw BadMessageException.malformed("The request target has a control character.");
            }
        }
        int minor = version(o, targetEnd + 1, end);
        return new RequestHead(
                text(o, 0, methodEnd),
                text(o, methodEnd + 1, targetEnd),
                minor,
                parseFields(o, nextLine(o, end), false));
    }

    private static int version(byte[] o, int start, int end) throws BadMessageException {
        boolean shaped = end - start == 8
                && o[start] == 'H'
                && o[start + 1] == 'T'
                && o[start + 2] == 'T'
                && o[start + 3] == 'P'
                && o[start + 4] == '/'
                && isDigit(o[start + 5])
                && o[start + 6] == '.'
                && isDigit(o[start + 7]);
        if (!shaped) {
            throw BadMessageException.malformed("The request line does not end in HTTP/1.0 or HTTP/1.1.");
        }
        if (o[start + 5] != '1') {
            throw new BadMessageException(505, "version_not_supported", "This proxy speaks HTTP/1.0 and HTTP/1.1.");
        }
        return o[start + 7] == '0' ? 0 : 1;
    }

    private ResponseHead parseResponse(byte[] o) throws BadMessageException {
        int end = lineEnd(o, 0, true);
        boolean shaped = end >= 12
                && text(o, 0, 7).equals("HTTP/1.")
                && isDigit(o[7])
                && o[8] == ' '
                && o[9] >= '1'
                && o[9] <= '5'
                && isDigit(o[10])
                && isDigit(o[11])
                && (end == 12 || o[12] == ' ');
        if (!shaped) {
            throw new BadMessageException(
                    502, "bad_response", "The answer does not begin with an HTTP/1.x status line.");
        }
        int status = (o[9] - '0') * 100 + (o[10] - '0') * 10 + o[11] - '0';
        for (int i = 12; i < end; i++) {
            if (isControl(o[i])) {
                o[i] = ' ';
            }
        }
        String reason = end > 13 ? text(o, 13, end) : "";
        return new ResponseHead(o[7] - '0', status, reason, parseFields(o, nextLine(o, end), true));
    }

    private Fields parseFields(byte[] o, int from, boolean lenient) throws BadMessageException {
        if (lenient) {
            unfold(o, from);
        }
        Fields fields = new Fields(o);
        int at = from;
        while (true) {
            int end = lineEnd(o, at, lenient);
            if (end == at) {
                return fields;
            }
            parseField(o, at, end, lenient, fields);
            if (fields.size() > limits.fields()) {
                throw new BadMessageException(
                        431, "header_too_large", "The head has more than " + limits.fields() + " fields.");
            }
            at = nextLine(o, end);
        }
    }

    private static void parseField(byte[] o, int start, int end, boolean lenient, Fields fields)
            throws BadMessageException {
        if (o[start] == ' ' || o[start] == '\t') {
            throw BadMessageException.malformed("A field is folded over two lines: write it in one.");
        }
        int colon = indexOf(o, start, end, ':');
        int nameEnd = colon;
        while (lenient && nameEnd > start && (o[nameEnd - 1] == ' ' || o[nameEnd - 1] == '\t')) {
            nameEnd--;
        }
        if (colon < 0 || nameEnd <= start || !isToken(o, start, nameEnd)) {
            if (lenient) {
                return;
            }
            throw BadMessageException.malformed("A line of the head is not NAME: VALUE.");
        }
        int valueStart = colon + 1;
        int valueEnd = end;
        while (valueStart < valueEnd && (o[valueStart] == ' ' || o[valueStart] == '\t')) {
            valueStart++;
        }
        while (valueEnd > valueStart && (o[valueEnd - 1] == ' ' || o[valueEnd - 1] == '\t')) {
            valueEnd--;
        }
        for (int i = valueStart; i < valueEnd; i++) {
            if (isControl(o[i])) {
                if (!lenient) {
                    throw BadMessageException.malformed("A field's value has a control character.");
                }
                o[i] = ' ';
            }
        }
        fields.add(start, nameEnd, valueStart, valueEnd);
    }

    /** Joins a folded line to the one before by spaces (RFC 9112, section 5.2). */
    private static void unfold(byte[] o, int from) {
        for (int i = from; i < o.length - 1; i++) {
            if (o[i] == '\n' && i > from && (o[i + 1] == ' ' || o[i + 1] == '\t')) {
                o[i] = ' ';
                if (o[i - 1] == '\r') {
                    o[i - 1] = ' ';
                }
            }
        }
    }

    /** Where the line that begins at {@code from} ends, without its CR and LF. */
    private static int lineEnd(byte[] o, int from, boolean lenient) throws BadMessageException {
        int lf = indexOf(o, from, o.length, '\n');
        if (lf < 0) {
            return o.length;
        }
        if (lf > from && o[lf - 1] == '\r') {
            return lf - 1;
        }
        if (!lenient) {
            throw BadMessageException.malformed("A line ends in LF alone: lines end in CR LF.");
        }
        return lf;
    }

    private static int nextLine(byte[] o, int end) {
        return Math.min(o.length, o[end] == '\r' ? end + 2 : end + 1);
    }

    private static int indexOf(byte[] o, int from, int end, char wanted) {
        for (int i = from; i < end; i++) {
            if (o[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isToken(byte[] o, int from, int end) {
        for (int i = from; i < end; i++) {
            int c = o[i];
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !isDigit(o[i]) && (c <= 0 || "!#$%&'*+-.^_`|~".indexOf(c) < 0)) {
                return false;
            }
        }
        return from < end;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** A bare CR counts as one too: some programs take it for the end of a line. */
    private static boolean isControl(byte c) {
        return (c >= 0 && c < ' ' && c != '\t') || c == 127;
    }

    private static String text(byte[] o, int from, int end) {
        return new String(o, from, end - from, StandardCharsets.ISO_8859_1);
    }
}
