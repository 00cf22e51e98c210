package io.paceline.service;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets of one installation, all derived from one: a key for each purpose, so that none says anything about
 * another. Immutable; shows nothing of itself.
 */
public final class Keys {

    static final int OCTETS = 32;

    private static final int COPY_NAME_OCTETS = 12;

    private final SecretKeySpec root;

    Keys(byte[] root) {
        if (root.length != OCTETS) {
            throw new IllegalArgumentException("a key of " + root.length + " octets and not of " + OCTETS);
        }
        this.root = new SecretKeySpec(root, "HmacSHA256");
    }

    /** Keys that nobody has had and nobody keeps: ids of addresses and leases are worth nothing after a restart. */
    public static Keys ephemeral() {
        return new Keys(draw());
    }

    static byte[] draw() {
        byte[] octets = new byte[OCTETS];
        new SecureRandom().nextBytes(octets);
        return octets;
    }

    /** For {@link io.paceline.service.config.AddressIds}. */
    public byte[] addresses() {
        return derive("addresses");
    }

    /** For {@link io.paceline.service.api.LeaseTokens}. */
    public byte[] leases() {
        return derive("leases");
    }

    /** What the copy of a list is called: a keyed hash, from which nobody reads the key in a URL. */
    public String copyName(String url) {
        SecretKeySpec key = new SecretKeySpec(derive("copies"), root.getAlgorithm());
        return "list-" + HexFormat.of().formatHex(hmac(key, url.getBytes(StandardCharsets.UTF_8)), 0, COPY_NAME_OCTETS);
    }

    /** For {@link io.paceline.service.metrics.Pseudonyms}. */
    public byte[] pseudonyms() {
        return derive("pseudonyms");
    }

    /** One block of HKDF-Expand (RFC 5869): HMAC(root, purpose, 1). */
    private byte[] derive(String purpose) {
        return hmac(root, purpose.getBytes(StandardCharsets.UTF_8), new byte[] {1});
    }

    private static byte[] hmac(SecretKeySpec key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
