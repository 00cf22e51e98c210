package io.paceline.service.config;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Names addresses: {@code a} and ten base-32 characters of HMAC-SHA256 over scheme, host, port, user and password.
 *
 * <p>The same address has the same id as long as the key lives, and nobody without the key can try passwords against an
 * id. Immutable and thread-safe.
 */
public final class AddressIds {

    private static final String ALGORITHM = "HmacSHA256";
    private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();
    private static final int LENGTH = 10;
    private static final int MIN_KEY = 16;

    private final SecretKeySpec key;

    private AddressIds(SecretKeySpec key) {
        this.key = key;
    }

    /** @throws IllegalArgumentException for a key below 16 bytes, which can be guessed */
    public static AddressIds keyed(byte[] key) {
        if (key.length < MIN_KEY) {
            throw new IllegalArgumentException("key of " + key.length + " bytes is not at least " + MIN_KEY);
        }
        return new AddressIds(new SecretKeySpec(key, ALGORITHM));
    }

    /**
     * An id for each endpoint, no two alike. Where the hashes of two begin alike (once in a thousand lists of a million),
     * the one with the smaller whole hash keeps the id and the other is hashed again: a function of the set alone, not
     * of its order.
     */
    public Map<Endpoint, String> assign(Collection<Endpoint> endpoints) {
        Mac mac = mac();
        Map<Endpoint, String> ids = new HashMap<>();
        Set<String> taken = new HashSet<>();
        Set<Endpoint> unnamed = new LinkedHashSet<>(endpoints);
        for (int attempt = 0; !unnamed.isEmpty(); attempt++) {
            Map<String, Claim> claims = new HashMap<>();
            for (Endpoint endpoint : unnamed) {
                Claim claim = new Claim(endpoint, ByteBuffer.wrap(mac.doFinal(bytes(attempt, endpoint))));
                if (!taken.contains(claim.id())) {
                    claims.merge(claim.id(), claim, Claim::smaller);
                }
            }
            for (Map.Entry<String, Claim> claim : claims.entrySet()) {
                ids.put(claim.getValue().endpoint, claim.getKey());
                unnamed.remove(claim.getValue().endpoint);
            }
            taken.addAll(claims.keySet());
        }
        return ids;
    }

    /** An endpoint that asks for the id that its hash begins with. */
    private record Claim(Endpoint endpoint, ByteBuffer hash) {
        String id() {
            // Ten characters of five bits are fifty; a long takes the first 64 of the hash.
            long bits = hash.getLong(0);
            StringBuilder id = new StringBuilder("a");
            for (int i = 1; i <= LENGTH; i++) {
                id.append(BASE32[(int) (bits >>> (Long.SIZE - 5 * i)) & 31]);
            }
            return id.toString();
        }

        Claim smaller(Claim other) {
            return hash.compareTo(other.hash) <= 0 ? this : other;
        }
    }

    /** Each part with its length in front, so that no two endpoints have the same bytes. */
    private static byte[] bytes(int attempt, Endpoint endpoint) {
        Credentials credentials = endpoint.credentials();
        byte[] scheme = endpoint.scheme().word().getBytes(StandardCharsets.UTF_8);
        byte[] host = endpoint.host().getBytes(StandardCharsets.UTF_8);
        byte[] user = utf8(credentials == null ? null : credentials.user());
        byte[] password = utf8(credentials == null ? null : credentials.password());
        int size = 6 * Integer.BYTES + scheme.length + host.length + user.length + password.length;
        return ByteBuffer.allocate(size)
                .putInt(attempt)
                .putInt(scheme.length)
                .put(scheme)
                .putInt(host.length)
                .put(host)
                .putInt(endpoint.port())
                .putInt(credentials == null ? -1 : user.length)
                .put(user)
                .putInt(password.length)
                .put(password)
                .array();
    }

    private static byte[] utf8(@Nullable String text) {
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
