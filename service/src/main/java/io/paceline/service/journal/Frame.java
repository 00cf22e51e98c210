package io.paceline.service.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * How a segment of the journal looks.
 *
 * <pre>
 *   segment    header, then frames; the first increment is whole, the others tell what has changed since
 *   increment  CHANGES*, END: it counts from its END on, and not at all without
 *
 *   header     magic "PACEJRNL" | version u16 | 0 u16 | number of the segment u64 | CRC-32C of all before u32
 *   frame      length of the payload u32 | kind u8 | CRC-32C of the payload u32 | CRC-32C of all before u32 | payload
 *   CHANGES    one record after another, see {@link ChangeWriter}
 *   END        instant in microseconds i64
 * </pre>
 *
 * <p>The header's layout stays the same in every version, so that any version can tell a newer one from a damage.
 */
final class Frame {
    /** Grows whenever an older version could not read what is written. */
    static final int VERSION = 1;

    static final int HEADER = 24;
    static final int HEAD = 13;
    static final int CHANGES = 1;
    static final int END = 2;

    /** The longest payload that is taken for one; a frame is closed long before. */
    static final int LONGEST = 1 << 26;

    private static final long MAGIC = 0x504143454A524E4CL;

    /** Where the number of the version stands in the header. */
    private static final int VERSION_AT = 8;

    private static final int NUMBER_AT = 12;
    private static final int CRC_AT = 20;

    private Frame() {}

    static byte[] header(long number) {
        return header(number, VERSION);
    }

    static byte[] header(long number, int version) {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        header.putLong(MAGIC).putShort((short) version).putShort((short) 0).putLong(number);
        header.putInt(crc(header.array(), 0, CRC_AT));
        return header.array();
    }

    /** The version, or -1 where this is no header, or a damaged one. */
    static int version(byte[] header) {
        ByteBuffer read = ByteBuffer.wrap(header);
        boolean sound =
                header.length == HEADER && read.getLong(0) == MAGIC && read.getInt(CRC_AT) == crc(header, 0, CRC_AT);
        return sound ? read.getShort(VERSION_AT) & 0xffff : -1;
    }

    static long number(byte[] header) {
        return ByteBuffer.wrap(header).getLong(NUMBER_AT);
    }

    static byte[] of(int kind, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(HEAD + payload.length);
        frame.putInt(payload.length).put((byte) kind).putInt(crc(payload, 0, payload.length));
        frame.putInt(crc(frame.array(), 0, HEAD - Integer.BYTES));
        frame.put(payload);
        return frame.array();
    }

    static byte[] end(long nowMicros) {
        return of(END, ByteBuffer.allocate(Long.BYTES).putLong(nowMicros).array());
    }

    static int crc(byte[] octets, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(octets, from, length);
        return (int) crc.getValue();
    }

    /** The head of a frame as it was read. */
    record Head(int length, int kind, int payloadCrc) {
        /** Null where the octets are no head, or a damaged one. */
        static @org.jspecify.annotations.Nullable Head of(byte[] octets) {
            ByteBuffer read = ByteBuffer.wrap(octets);
            int length = read.getInt();
            int kind = read.get();
            int payloadCrc = read.getInt();
            boolean sound = read.getInt() == crc(octets, 0, HEAD - Integer.BYTES)
                    && length >= 0
                    && length <= LONGEST
                    && (kind == CHANGES || kind == END);
            return sound ? new Head(length, kind, payloadCrc) : null;
        }

        boolean fits(byte[] payload) {
            return crc(payload, 0, payload.length) == payloadCrc;
        }
    }
}
