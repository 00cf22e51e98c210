package io.paceline.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads what scripts write with {@code struct}; the other half of {@link Packer}. */
final class Unpacker {
    private final ByteBuffer octets;

    Unpacker(byte[] octets) {
        this.octets = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
    }

    int octet() {
        return octets.get() & 0xff;
    }

    int word() {
        return octets.getShort() & 0xffff;
    }

    int integer() {
        return octets.getInt();
    }

    /** A time or a count: the ends of the long range stand for themselves. */
    long number() {
        return (long) octets.getDouble();
    }

    double real() {
        return octets.getDouble();
    }

    float single() {
        return octets.getFloat();
    }

    /** Eight octets as a number, the first one lowest. */
    long packed() {
        return octets.getLong();
    }

    long id() {
        return Long.reverseBytes(octets.getLong());
    }

    byte[] raw(int size) {
        byte[] part = new byte[size];
        octets.get(part);
        return part;
    }

    boolean more() {
        return octets.hasRemaining();
    }

    int left() {
        return octets.remaining();
    }

    static int hexInt(byte[] text) {
        return Integer.parseUnsignedInt(string(text), 16);
    }

    static long hexLong(byte[] text) {
        return Long.parseUnsignedLong(string(text), 16);
    }

    static long id8(byte[] octets) {
        return new Unpacker(octets).id();
    }

    static String string(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }
}
