package io.paceline.service.lists;

/** Carries a fault from the depth of the line reader to its top; has no stack trace, since bad lines are ordinary. */
final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Fault fault;

    BadLineException(Fault fault, String message) {
        super(message, null, false, false);
        this.fault = fault;
    }

    ProxyLine.Bad bad() {
        return new ProxyLine.Bad(fault, String.valueOf(getMessage()));
    }
}
