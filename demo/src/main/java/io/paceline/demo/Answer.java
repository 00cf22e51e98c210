package io.paceline.demo;

/** How one try for a page ended. */
enum Answer {
    /** The page. */
    PAGE(true),
    /** A captcha instead of it. */
    CAPTCHA(true),
    /** 429 of the site. */
    TOO_MANY(true),
    /** No answer, or none that is of use. */
    FAILED(true),
    /** No permit, so nothing was sent. */
    NO_PERMIT(false),
    /** The session's address is out of service: the session must begin anew; nothing was sent. */
    SESSION_OVER(false);

    private final boolean sent;

    Answer(boolean sent) {
        this.sent = sent;
    }

    /** Whether a request left. */
    boolean sent() {
        return sent;
    }

    /** What a status says; challenges come as 403. */
    static Answer ofStatus(int status) {
        return switch (status) {
            case 200 -> PAGE;
            case 403 -> CAPTCHA;
            case 429 -> TOO_MANY;
            default -> FAILED;
        };
    }
}
