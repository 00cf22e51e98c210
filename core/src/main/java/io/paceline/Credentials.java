package io.paceline;

import java.util.Objects;

/**
 * User name and password of an upstream proxy.
 *
 * <p>The password leaves this object by {@link #password()} alone: {@link #toString()} masks it, so that no log line,
 * exception or debugger view of an enclosing record can show it.
 *
 * @param user opaque and case-sensitive: gateways choose the exit by it
 * @param password may be empty, never null (RFC 7617 wants the colon even then)
 */
public record Credentials(String user, String password) {

    public Credentials {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    @Override
    public String toString() {
        return user + ":***";
    }
}
