package io.paceline.service.api;

import io.paceline.LeaseId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The text form of a {@link LeaseId}: {@code l_} and 60 characters of base64url, which hold the id's 32 octets and 13
 * octets of an HMAC-SHA256 over them.
 *
 * <p>The id says where its lease lives, so whoever could write ids could end the leases of others: the code makes that
 * a guess among 2^104. 45 octets fill 60 characters without a spare bit, so every lease has exactly one text. The code
 * also covers the name of the lease's tenant: to another tenant the text is as good as made up. Thread-safe.
 */
public final class LeaseTokens {

    private static final String PREFIX = "l_";
    private static final int ID_OCTETS = 32;
    private static final int CODE_OCTETS = 13;
    private static final int TEXT_CHARS = PREFIX.length() + (ID_OCTETS + CODE_OCTETS) / 3 * 4;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    /** Looking an algorithm up costs more than using it, and a {@link Mac} serves one thread at a time. */
    private final ThreadLocal<Mac> macs;

    /** @param key a secret of at least 16 octets; the same one on every instance that shares a store */
    public LeaseTokens(byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of " + key.length + " octets is too short: use at least 16");
        }
        SecretKeySpec secret = new SecretKeySpec(key.clone(), "HmacSHA256");
        macs = ThreadLocal.withInitial(() -> mac(secret));
    }

    /** The text of a lease of the only tenant. */
    public String write(LeaseId id) {
        return write(id, "");
    }

    /** The text of a lease that this tenant alone can use. */
    public String write(LeaseId id, String tenant) {
        byte[] octets = new byte[ID_OCTETS + CODE_OCTETS];
        ByteBuffer.wrap(octets)
                .putLong(id.value())
                .putInt(id.chain())
                .putInt(id.slot())
                .putLong(id.target())
                .putLong(id.expiresAtMicros());
        System.arraycopy(code(octets, tenant), 0, octets, ID_OCTETS, CODE_OCTETS);
        return PREFIX + ENCODER.encodeToString(octets);
    }

    /** As {@link #read(String, String)}, of the only tenant. */
    public Optional<LeaseId> read(String text) {
        return read(text, "");
    }

    /** The id that this object, or one with the same key, wrote as the text for this tenant; empty for any other text. */
    public Optional<LeaseId> read(String text, String tenant) {
        if (text.length() != TEXT_CHARS || !text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        byte[] octets;
        try {
            octets = DECODER.decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        byte[] given = Arrays.copyOfRange(octets, ID_OCTETS, octets.length);
        byte[] right = Arrays.copyOf(code(octets, tenant), CODE_OCTETS);
        if (!MessageDigest.isEqual(given, right)) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(octets);
        return Optional.of(new LeaseId(in.getLong(), in.getInt(), in.getInt(), in.getLong(), in.getLong()));
    }

    private byte[] code(byte[] octets, String tenant) {
        Mac mac = macs.get();
        mac.update(octets, 0, ID_OCTETS);
        if (!tenant.isEmpty()) {
            mac.update(tenant.getBytes(StandardCharsets.UTF_8)); // behind octets of a fixed number: no two run together
        }
        return mac.doFinal();
    }

    private static Mac mac(SecretKeySpec secret) {
        try {
            Mac mac = Mac.getInstance(secret.getAlgorithm());
            mac.init(secret);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
