package io.paceline.service.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * User name and token of a client's {@code Proxy-Authorization: Basic} (RFC 7617): split at the first colon, UTF-8,
 * nothing percent-decoded.
 *
 * @param user client id and options
 * @param token the only secret
 */
record ClientCredentials(String user, String token) {
    private static final String SCHEME = "basic";

    /** Empty where the field is of another scheme or cannot be read. */
    static Optional<ClientCredentials> parse(String field) {
        int space = field.indexOf(' ');
        if (space != SCHEME.length() || !field.regionMatches(true, 0, SCHEME, 0, space)) {
            return Optional.empty();
        }
        String text;
        try {
            text = decode(Base64.getDecoder().decode(field.substring(space + 1).strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int colon = text.indexOf(':');
        return colon < 0
                ? Optional.empty()
                : Optional.of(new ClientCredentials(text.substring(0, colon), text.substring(colon + 1)));
    }

    /** UTF-8; what is not, is read octet by octet, as old clients wrote it. */
    private static String decode(byte[] octets) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(octets, StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public String toString() {
        return user + ":***";
    }
}
