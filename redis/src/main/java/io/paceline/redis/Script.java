package io.paceline.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One script as Redis knows it.
 *
 * @param name for messages
 * @param text what is sent where Redis does not know the hash, as after a restart
 * @param sha1 what is sent otherwise
 */
record Script(String name, String text, String sha1) {

    static Script of(String name, String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new Script(name, text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
