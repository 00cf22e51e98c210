package io.paceline.service.proxy;

/**
 * A message that breaks HTTP, or one of our bounds. From a client it becomes the status given; from an upstream always
 * 502. It carries no stack trace: it speaks about the peer, not about the code.
 */
final class BadMessageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    BadMessageException(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    static BadMessageException malformed(String message) {
        return new BadMessageException(400, "bad_request", message);
    }

    ProxyError toError() {
        return new ProxyError(status, code, sentence());
    }

    String sentence() {
        String message = getMessage();
        return message == null ? code : message;
    }
}
