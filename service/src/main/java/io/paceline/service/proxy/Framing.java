package io.paceline.service.proxy;

import java.util.List;
import java.util.Locale;

/**
 * How long a body is, and how that is said (RFC 9112, section 6.3).
 *
 * @param kind how the end is found
 * @param length octets, with {@link Kind#LENGTH}; else 0
 */
record Framing(Kind kind, long length) {
    /** The ways in which a body ends. */
    enum Kind {
        NONE,
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }

    static final Framing NONE = new Framing(Kind.NONE, 0);
    static final Framing CHUNKED = new Framing(Kind.CHUNKED, 0);
    static final Framing UNTIL_CLOSE = new Framing(Kind.UNTIL_CLOSE, 0);

    /** 10^18 octets: one digit more might not fit into a long. */
    private static final int MAX_DIGITS = 18;

    /** Strict: whatever two programs could read in two ways is refused. */
    static Framing ofRequest(RequestHead head) throws BadMessageException {
        List<String> codings = head.fields().all("transfer-encoding");
        List<String> lengths = head.fields().all("content-length");
        if (codings.isEmpty()) {
            return lengths.isEmpty() ? NONE : ofLength(lengths);
        }
        if (!lengths.isEmpty()) {
            throw BadMessageException.malformed("The request has Content-Length and Transfer-Encoding: send one.");
        }
        if (head.isHttp10()) {
            throw BadMessageException.malformed("HTTP/1.0 has no Transfer-Encoding: send Content-Length.");
        }
        if (codings.size() != 1 || !codings.get(0).toLowerCase(Locale.ROOT).equals("chunked")) {
            throw BadMessageException.malformed("The only Transfer-Encoding possible is exactly 'chunked'.");
        }
        return CHUNKED;
    }

    /** For an answer to a request of the method given. */
    static Framing ofResponse(String method, ResponseHead head) throws BadMessageException {
        if (method.equals("HEAD") || head.isInterim() || head.status() == 204 || head.status() == 304) {
            return NONE;
        }
        List<String> codings = head.fields().tokens("transfer-encoding");
        if (!codings.isEmpty() && !codings.equals(List.of("identity"))) {
            if (!codings.equals(List.of("chunked"))) {
                throw new BadMessageException(
                        502, "bad_response", "The answer has a Transfer-Encoding that nobody asked for.");
            }
            return CHUNKED;
        }
        List<String> lengths = head.fields().all("content-length");
        return lengths.isEmpty() ? UNTIL_CLOSE : ofLength(lengths);
    }

    /** Equal values may repeat, in one field or several; different ones make the message worthless. */
    private static Framing ofLength(List<String> values) throws BadMessageException {
        long length = -1;
        for (String value : values) {
            for (String part : value.split(",", -1)) {
                long one = parse(part.strip());
                if (length >= 0 && one != length) {
                    throw BadMessageException.malformed("The message has two different Content-Length values.");
                }
                length = one;
            }
        }
        return new Framing(Kind.LENGTH, length);
    }

    private static long parse(String digits) throws BadMessageException {
        boolean fine = !digits.isEmpty() && digits.length() <= MAX_DIGITS;
        for (int i = 0; fine && i < digits.length(); i++) {
            fine = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        if (!fine) {
            throw BadMessageException.malformed("Content-Length is not a number of octets.");
        }
        return Long.parseLong(digits);
    }

    boolean hasBody() {
        return kind != Kind.NONE && !(kind == Kind.LENGTH && length == 0);
    }
}
