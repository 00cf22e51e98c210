package io.paceline.service.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** A disk that runs full in the middle of a write, or cannot bring anything to the platter. */
final class FaultyDisk implements Disk {
    private final Disk real = Disk.real();
    /** Octets that still fit. */
    private long room = Long.MAX_VALUE;

    private boolean forceFails;

    void room(long octets) {
        room = octets;
    }

    void forceFails(boolean fails) {
        forceFails = fails;
    }

    @Override
    public Sink create(Path file) throws IOException {
        Sink sink = real.create(file);
        return new Sink() {
            @Override
            public void append(byte[] octets) throws IOException {
                int fits = (int) Math.min(room, octets.length);
                sink.append(Arrays.copyOf(octets, fits));
                room -= fits;
                if (fits < octets.length) {
                    throw new IOException("No space left on device");
                }
            }

            @Override
            public void cut(long length) throws IOException {
                sink.cut(length);
            }

            @Override
            public void force() throws IOException {
                if (forceFails) {
                    throw new IOException("Input/output error");
                }
                sink.force();
            }

            @Override
            public void close() throws IOException {
                sink.close();
            }
        };
    }

    @Override
    public void delete(Path file) throws IOException {
        real.delete(file);
    }
}
