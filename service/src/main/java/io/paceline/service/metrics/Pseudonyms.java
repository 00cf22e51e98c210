package io.paceline.service.metrics;

import io.paceline.EmbeddedGatekeeper;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Names for session keys and clients that a log may show: the same key always has the same one, and without the secret
 * nobody can tell whose it is. Thread-safe.
 */
public final class Pseudonyms {

    /** 48 bits: enough to tell ten thousand sessions apart, too few to be worth collecting. */
    private static final int OCTETS = 6;

    private final SecretKeySpec secret;

    public Pseudonyms(byte[] key) {
        secret = new SecretKeySpec(key.clone(), "HmacSHA256");
    }

    /** The name of a session, by the key under which the store knows it. */
    public String ofSession(long key) {
        return of("session " + Long.toHexString(key));
    }

    /** The name of a session as a request gives it; {@code -} where it has none. */
    public String ofSession(String tenant, @Nullable String session) {
        return session == null ? "-" : ofSession(EmbeddedGatekeeper.sessionKey(tenant, session));
    }

    /** {@code ~} and 12 hexadecimal digits; {@code -} where there is nothing to hide. */
    public String of(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "-";
        }
        try {
            Mac mac = Mac.getInstance(secret.getAlgorithm());
            mac.init(secret);
            byte[] code = mac.doFinal(value.getBytes(StandardCharsets.UTF_8));
            return "~" + HexFormat.of().formatHex(Arrays.copyOf(code, OCTETS));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
