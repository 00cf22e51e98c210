package io.paceline.service.lists;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to understand a line: where the proxy is and who we are to it.
 *
 * @param user null where no credentials are given
 */
record Reading(HostPort where, @Nullable String user, String password) {

    static Reading open(HostPort where) {
        return new Reading(where, null, "");
    }

    /** Credentials as written; two empty fields mean none. */
    static Reading literal(HostPort where, String user, String password) {
        return user.isEmpty() && password.isEmpty() ? open(where) : new Reading(where, user, password);
    }

    /** {@code user:password}, percent-encoded; the first colon ends the user name (RFC 7617). */
    static Reading encoded(HostPort where, String userInfo) {
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        String password = colon < 0 ? "" : userInfo.substring(colon + 1);
        return literal(where, Percent.decode(user), Percent.decode(password));
    }

    /** One endpoint for each port of the range. */
    List<Endpoint> endpoints(Scheme scheme) throws BadLineException {
        Credentials credentials = user == null ? null : new Credentials(clean(user), clean(password));
        List<Endpoint> endpoints = new ArrayList<>(where.last() - where.first() + 1);
        for (int port = where.first(); port <= where.last(); port++) {
            endpoints.add(new Endpoint(scheme, where.host(), port, credentials));
        }
        return endpoints;
    }

    /** A line end or a NUL inside credentials would split a header or end a SOCKS4 field early. */
    private static String clean(String text) throws BadLineException {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new BadLineException(
                    Fault.CONTROL_CHARACTER, "the credentials hold a control character: copy the line anew");
        }
        return text;
    }
}
