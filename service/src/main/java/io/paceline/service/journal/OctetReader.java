package io.paceline.service.journal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link OctetWriter} has written. Whatever the octets are, it ends, and takes no more memory than they justify; every
 * method throws {@link IllegalArgumentException} where they are not what was asked for.
 */
final class OctetReader {
    private final byte[] octets;
    private int next;

    OctetReader(byte[] octets) {
        this.octets = octets;
    }

    boolean atEnd() {
        return next == octets.length;
    }

    int octet() {
        if (next == octets.length) {
            throw new IllegalArgumentException("the record ends too early");
        }
        return octets[next++] & 0xff;
    }

    boolean flag() {
        return octet() != 0;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int octet = octet();
            value |= (octet & 0x7fL) << shift;
            if (octet < 0x80) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new IllegalArgumentException("a number has no end");
    }

    int smallNumber() {
        return Math.toIntExact(within(number(), Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    long hash() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (long) octet() << (Byte.SIZE * i);
        }
        return value;
    }

    float decimal() {
        return Float.intBitsToFloat(Integer.reverseBytes(smallNumber()));
    }

    double longDecimal() {
        return Double.longBitsToDouble(Long.reverseBytes(number()));
    }

    String text() {
        int length = length();
        String text = new String(octets, next, length, StandardCharsets.UTF_8);
        next += length;
        return text;
    }

    List<Long> numbers() {
        int count = length();
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(number());
        }
        return numbers;
    }

    /** Of something of which each part takes at least one octet. */
    int length() {
        return (int) within(number(), 0, octets.length - next);
    }

    private static long within(long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(value + " is not between " + least + " and " + most);
        }
        return value;
    }
}
