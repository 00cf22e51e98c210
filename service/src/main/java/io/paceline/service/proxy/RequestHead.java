package io.paceline.service.proxy;

/**
 * A client's request up to its body.
 *
 * @param method as written: methods are case-sensitive
 * @param target the request target, one character for each octet
 * @param minor 0 for HTTP/1.0, 1 for HTTP/1.1 and above
 * @param fields as they came
 */
record RequestHead(String method, String target, int minor, Fields fields) {

    boolean isHttp10() {
        return minor == 0;
    }

    /** Whether the client wants its connection kept, after whichever of the two names it says so by. */
    boolean keepAlive() {
        boolean keep = false;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.is(i, "connection") || fields.is(i, "proxy-connection")) {
                for (String token : fields.value(i).split(",", -1)) {
                    String option = token.strip();
                    if (option.equalsIgnoreCase("close")) {
                        return false;
                    }
                    keep |= option.equalsIgnoreCase("keep-alive");
                }
            }
        }
        return keep || !isHttp10();
    }

    /** The methods that change nothing by definition (RFC 9110, section 9.2.1), so that a lost one may be sent again. */
    boolean isSafe() {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS" -> true;
            default -> false;
        };
    }
}
