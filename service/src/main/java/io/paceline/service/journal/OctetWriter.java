package io.paceline.service.journal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Numbers and text as octets: small numbers take few of them (zigzag, seven bits an octet). Not thread-safe. */
final class OctetWriter {
    private byte[] octets;
    private int size;

    OctetWriter(int expected) {
        octets = new byte[expected];
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    byte[] copy() {
        return Arrays.copyOf(octets, size);
    }

    OctetWriter octet(int value) {
        if (size == octets.length) {
            octets = Arrays.copyOf(octets, 2 * size + 16);
        }
        octets[size++] = (byte) value;
        return this;
    }

    OctetWriter flag(boolean value) {
        return octet(value ? 1 : 0);
    }

    /** Any number; the nearer to 0, the shorter. */
    OctetWriter number(long value) {
        long left = (value << 1) ^ (value >> 63);
        while ((left & ~0x7fL) != 0) {
            octet((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        return octet((int) left);
    }

    /** A hash, whose every bit counts: always eight octets. */
    OctetWriter hash(long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            octet((int) (value >>> (Byte.SIZE * i)));
        }
        return this;
    }

    OctetWriter decimal(float value) {
        return number(Integer.reverseBytes(Float.floatToRawIntBits(value)));
    }

    OctetWriter decimal(double value) {
        return number(Long.reverseBytes(Double.doubleToRawLongBits(value)));
    }

    OctetWriter text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        for (byte octet : encoded) {
            octet(octet);
        }
        return this;
    }

    OctetWriter numbers(List<Long> numbers) {
        number(numbers.size());
        for (long value : numbers) {
            number(value);
        }
        return this;
    }
}
