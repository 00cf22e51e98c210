package io.paceline.service.proxy;

/**
 * An upstream's answer up to its body.
 *
 * @param minor 0 for HTTP/1.0, 1 for HTTP/1.1
 * @param status 100 to 599
 * @param reason the reason phrase, one character for each octet; may be empty
 * @param fields as they came
 */
record ResponseHead(int minor, int status, String reason, Fields fields) {

    boolean isInterim() {
        return status < 200;
    }

    boolean keepAlive() {
        java.util.List<String> options = fields.tokens("connection");
        return !options.contains("close") && (minor > 0 || options.contains("keep-alive"));
    }
}
