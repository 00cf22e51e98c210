package io.paceline.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes what scripts read with {@code struct}: little-endian, times as doubles, which are exact up to 2^53 and keep the
 * ends of the long range apart from everything else. Names of keys are in hexadecimal, so that people can read them.
 */
final class Packer {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private ByteBuffer octets = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    Packer octet(int value) {
        room(1).put((byte) value);
        return this;
    }

    Packer flag(boolean value) {
        return octet(value ? 1 : 0);
    }

    Packer word(int value) {
        room(2).putShort((short) value);
        return this;
    }

    Packer integer(int value) {
        room(4).putInt(value);
        return this;
    }

    Packer number(double value) {
        room(8).putDouble(value);
        return this;
    }

    /** A time or a count. */
    Packer number(long value) {
        return number((double) value);
    }

    Packer raw(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    /** 64 bits that mean nothing as a number. */
    Packer id(long value) {
        room(8).putLong(Long.reverseBytes(value));
        return this;
    }

    private ByteBuffer room(int size) {
        if (octets.remaining() < size) {
            int wider = Math.max(2 * octets.capacity(), octets.position() + size);
            octets = ByteBuffer.wrap(Arrays.copyOf(octets.array(), wider))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(octets.position());
        }
        return octets;
    }

    byte[] done() {
        return Arrays.copyOf(octets.array(), octets.position());
    }

    // ---- short forms

    static byte[] id8(long value) {
        return new Packer().id(value).done();
    }

    static byte[] hex(int value) {
        return hex(value, Integer.SIZE);
    }

    static byte[] hex(long value) {
        return hex(value, Long.SIZE);
    }

    private static byte[] hex(long value, int bits) {
        byte[] text = new byte[bits / 4];
        for (int i = 0; i < text.length; i++) {
            text[i] = DIGITS[(int) (value >>> (bits - 4 - 4 * i)) & 0xf];
        }
        return text;
    }

    static byte[] text(long value) {
        return text(Long.toString(value));
    }

    static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
