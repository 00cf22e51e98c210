package io.paceline.service.api;

import io.paceline.service.config.TokenConfig;
import io.paceline.service.config.TokenConfig.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A token that the server accepts. The token itself is not kept: its SHA-256 is enough to know it again, and cannot be
 * shown by mistake. Immutable.
 */
public final class ApiToken {

    private static final String HASHED = "sha256:";

    private final String name;
    private final byte[] sha256;
    private final String tenant;
    private final Role role;

    private ApiToken(String name, byte[] sha256, String tenant, Role role) {
        this.name = Objects.requireNonNull(name, "name");
        this.sha256 = sha256;
        this.tenant = Objects.requireNonNull(tenant, "tenant");
        this.role = Objects.requireNonNull(role, "role");
        if (sha256.length != 32) {
            throw new IllegalArgumentException("token " + name + ": sha256: must be followed by 64 hexadecimal digits");
        }
    }

    /** Who bears it: the client id of requests that name none. */
    public String name() {
        return name;
    }

    /** Whose sessions and quotas its bearer uses; empty for the only one. */
    public String tenant() {
        return tenant;
    }

    public Role role() {
        return role;
    }

    /** Compares in constant time. */
    boolean hasHash(byte[] presented) {
        return MessageDigest.isEqual(sha256, presented);
    }

    /**
     * A token as the configuration has it.
     *
     * @throws IllegalArgumentException where 64 hexadecimal digits do not follow {@code sha256:}; the message does not
     *     show them
     */
    public static ApiToken of(TokenConfig config) {
        return of(config.name(), config.token().value(), config.tenant(), config.role());
    }

    static ApiToken of(String name, String token, String tenant, Role role) {
        if (!token.startsWith(HASHED)) {
            return new ApiToken(name, hash(token), tenant, role);
        }
        byte[] octets = new byte[0];
        try {
            octets = HexFormat.of().parseHex(token.substring(HASHED.length()));
        } catch (IllegalArgumentException e) {
            // No digits are none of the right length: the constructor says so, without showing them.
        }
        return new ApiToken(name, octets, tenant, role);
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return name + " (" + role.word() + ")";
    }
}
