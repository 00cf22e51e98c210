package io.paceline.service.lists;

import java.util.Optional;

/**
 * Forms that are made of colons and at signs.
 *
 * <pre>
 * host:port                    scheme://host:port/
 * host:port:user:password      user:password:host:port      (literal)
 * user:password@host:port      host:port@user:password      (percent-decoded)
 * </pre>
 *
 * <p>A password may hold colons and at signs, so that several readings are possible. An address literal is the firm
 * ground: it is a host, and hardly ever a user name. Where two readings stay equally good the line is refused.
 */
final class FieldForms {

    private static final String WRITE_URL = "write http://user:password@host:port";

    private FieldForms() {}

    static Reading read(String text) throws BadLineException {
        int firstAt = text.indexOf('@');
        return firstAt < 0 ? withoutAt(text) : withAt(text, firstAt, text.lastIndexOf('@'));
    }

    private static Reading withAt(String text, int firstAt, int lastAt) throws BadLineException {
        Optional<HostPort> right = HostPort.tryParse(text.substring(lastAt + 1));
        boolean rightIsNamed =
                right.isPresent() && ProxyHosts.isPlain(right.get().host());
        Optional<Reading> colons = colons(text);
        boolean atInPassword =
                colons.isPresent() && ProxyHosts.isPlain(colons.get().where().host()) && secondColon(text) < firstAt;
        if (atInPassword && !rightIsNamed) {
            return colons.get();
        }
        Optional<HostPort> left = HostPort.tryParse(text.substring(0, firstAt));
        boolean leftIsLiteral =
                left.isPresent() && ProxyHosts.isLiteral(left.get().host());
        if (left.isPresent() && (right.isEmpty() || (leftIsLiteral && !rightIsNamed))) {
            return Reading.encoded(left.get(), text.substring(firstAt + 1));
        }
        if (atInPassword && ProxyHosts.isLiteral(colons.get().where().host())) {
            throw new BadLineException(
                    Fault.AMBIGUOUS_FIELDS, "host:port:user:password or user:password@host:port? " + WRITE_URL);
        }
        return Reading.encoded(HostPort.parse(text.substring(lastAt + 1)), text.substring(0, lastAt));
    }

    private static Reading withoutAt(String text) throws BadLineException {
        if (ProxyHosts.isBareIpv6(text) || ProxyHosts.startsLikeBareIpv6(text)) {
            throw HostPort.ambiguousIpv6();
        }
        String[] fields = fields(text);
        return switch (fields.length) {
            case 1, 2 -> Reading.open(HostPort.parse(text));
            case 3 -> threeFields(fields);
            default -> manyFields(text, fields);
        };
    }

    private static Reading threeFields(String[] fields) throws BadLineException {
        HostPort where = HostPort.of(fields[0], fields[1]);
        if (fields[2].isEmpty()) {
            return Reading.open(where);
        }
        throw new BadLineException(
                Fault.MISSING_PASSWORD,
                "a third field without a fourth: write host:port:user:password, or host:port:user: where the password is empty");
    }

    private static Reading manyFields(String text, String[] fields) throws BadLineException {
        Optional<Reading> forward = colons(text);
        Optional<HostPort> tail = HostPort.tryOf(fields[fields.length - 2], fields[fields.length - 1]);
        boolean tailIsLiteral =
                tail.isPresent() && ProxyHosts.isLiteral(tail.get().host());
        boolean tailIsNamed = tail.isPresent() && ProxyHosts.isPlain(tail.get().host());
        if (forward.isPresent()) {
            String host = forward.get().where().host();
            boolean fourFields = fields.length == 4;
            if (ProxyHosts.isLiteral(host)) {
                return forward.get();
            }
            if (ProxyHosts.isPlain(host) ? !tailIsLiteral || !fourFields : !tailIsNamed && fourFields) {
                return forward.get();
            }
            if (tailIsLiteral && !ProxyHosts.isPlain(host) && fourFields) {
                return reversed(tail.get(), fields);
            }
            throw new BadLineException(
                    Fault.AMBIGUOUS_FIELDS, "host:port:user:password or user:password:host:port? " + WRITE_URL);
        }
        if (tailIsNamed) {
            return reversed(tail.get(), fields);
        }
        throw forwardFault(fields);
    }

    /** {@code host:port:user:password}, split three times at most: later colons belong to the password. */
    private static Optional<Reading> colons(String text) {
        String[] fields = fields(text);
        if (fields.length < 4) {
            return Optional.empty();
        }
        int used = fields[0].length() + fields[1].length() + fields[2].length() + 3;
        return HostPort.tryOf(fields[0], fields[1])
                .map(where -> Reading.literal(where, fields[2], text.substring(used)));
    }

    private static Reading reversed(HostPort where, String[] fields) {
        StringBuilder password = new StringBuilder(fields[1]);
        for (int i = 2; i < fields.length - 2; i++) {
            password.append(':').append(fields[i]);
        }
        return Reading.literal(where, fields[0], password.toString());
    }

    private static BadLineException forwardFault(String[] fields) {
        try {
            HostPort.of(fields[0], fields[1]);
            return new BadLineException(Fault.UNEXPECTED_FIELDS, "too many fields: " + WRITE_URL);
        } catch (BadLineException fault) {
            return fault;
        }
    }

    /** The fields between colons, where a bracketed literal in front is one field. */
    private static String[] fields(String text) {
        if (!text.startsWith("[")) {
            return text.split(":", -1);
        }
        int close = text.indexOf("]:");
        if (close < 0) {
            return new String[] {text};
        }
        String[] rest = text.substring(close + 2).split(":", -1);
        String[] all = new String[rest.length + 1];
        all[0] = text.substring(0, close + 1);
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static int secondColon(String text) {
        String[] fields = fields(text);
        return fields[0].length() + 1 + fields[1].length();
    }
}
