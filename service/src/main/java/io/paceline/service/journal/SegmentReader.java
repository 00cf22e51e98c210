package io.paceline.service.journal;

import io.paceline.store.StoreImage;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads one segment: first what of it is sound, then what it says. Whatever the file holds, reading it ends. */
final class SegmentReader {
    private static final int BUFFER = 1 << 20;

    private SegmentReader() {}

    /**
     * What a segment is worth.
     *
     * @param length of the file
     * @param sound octets up to the end of the last whole increment; what is behind counts for nothing
     * @param increments whole ones
     * @param damaged frames before that end whose payload is not what was written
     * @param baseSound the first increment is whole and undamaged
     */
    record Worth(long length, long sound, int increments, int damaged, boolean baseSound) {
        static final Worth NOTHING = new Worth(0, 0, 0, 0, false);

        /** Octets behind the last whole increment. */
        long torn() {
            return length - sound;
        }
    }

    /**
     * Looks at all frames.
     *
     * @throws JournalException where a newer version wrote it
     */
    static Worth examine(Path file) throws IOException {
        try (InputStream in = open(file)) {
            byte[] header = in.readNBytes(Frame.HEADER);
            long length = Files.size(file);
            int version = Frame.version(header);
            if (version > Frame.VERSION) {
                throw new JournalException(
                        "the journal " + file + " was written by a newer version of Paceline (format " + version
                                + ", this one reads up to " + Frame.VERSION
                                + "): start that version, or move the file away, or name another folder with --data",
                        null);
            }
            if (version < 0) {
                return new Worth(length, 0, 0, 0, false);
            }
            return frames(in, length);
        }
    }

    private static Worth frames(InputStream in, long length) throws IOException {
        long at = Frame.HEADER;
        long sound = at;
        int increments = 0;
        int damaged = 0;
        int damagedSoFar = 0;
        boolean baseSound = false;
        for (Read next = next(in); next != null; next = next(in)) {
            at += Frame.HEAD + next.payload.length;
            if (!next.head.fits(next.payload)) {
                damagedSoFar++;
            } else if (next.head.kind() == Frame.END) {
                baseSound |= increments == 0 && damagedSoFar == 0;
                increments++;
                sound = at;
                damaged = damagedSoFar;
            }
        }
        return new Worth(length, sound, increments, damaged, baseSound);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Read(Frame.Head head, byte[] payload) {}

    /** The next frame; null where there is none, or nothing that could be one. */
    private static @Nullable Read next(InputStream in) throws IOException {
        byte[] octets = in.readNBytes(Frame.HEAD);
        Frame.Head head = octets.length < Frame.HEAD ? null : Frame.Head.of(octets);
        if (head == null) {
            return null;
        }
        byte[] payload = in.readNBytes(head.length());
        return payload.length < head.length() ? null : new Read(head, payload);
    }

    /**
     * Applies what is sound.
     *
     * @param sound as {@link Worth} says
     * @param before the instant so far
     * @return the instant of the last increment, in microseconds
     */
    static long apply(Path file, long sound, StoreImage image, long before) throws IOException {
        long now = before;
        try (InputStream in = open(file)) {
            in.skipNBytes(Frame.HEADER);
            for (long at = Frame.HEADER; at < sound; ) {
                Read next = next(in);
                if (next == null) {
                    throw new EOFException("the file has changed while it was read");
                }
                at += Frame.HEAD + next.payload.length;
                if (!next.head.fits(next.payload)) {
                    continue;
                }
                if (next.head.kind() == Frame.END) {
                    now = Math.max(now, ByteBuffer.wrap(next.payload).getLong());
                } else {
                    records(next.payload, image);
                }
            }
        }
        return now;
    }

    /** A record that is sound and still says nothing was written by a fault of ours: the rest of its frame is left out. */
    private static void records(byte[] payload, StoreImage image) {
        OctetReader octets = new OctetReader(payload);
        ChangeReader changes = new ChangeReader(octets);
        try {
            while (!octets.atEnd()) {
                image.apply(changes.read());
            }
        } catch (IllegalArgumentException e) {
            Recovery.LOG.warn(
                    "a frame of the journal cannot be understood, and the rest of it is left out: {}", e.getMessage());
        }
    }

    private static InputStream open(Path file) throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), BUFFER);
    }
}
