package io.paceline.service.journal;

import io.paceline.service.files.OwnerAlone;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** What the journal writes to: the file system, or in tests one that fails. */
interface Disk {

    /** A file that is written from its beginning. */
    interface Sink extends Closeable {
        /** Appends all of it, or throws: how much has arrived then is not known. */
        void append(byte[] octets) throws IOException;

        /** Cuts off what is behind so many octets, and goes on from there. */
        void cut(long length) throws IOException;

        /** Returns when all that was written is on the disk. */
        void force() throws IOException;
    }

    /** Makes the file anew, readable by its owner alone. */
    Sink create(Path file) throws IOException;

    void delete(Path file) throws IOException;

    /** The files of this machine. */
    static Disk real() {
        return new Disk() {
            @Override
            public Sink create(Path file) throws IOException {
                Files.deleteIfExists(file);
                FileChannel channel = FileChannel.open(
                        file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerAlone.file(file));
                return new FileSink(channel);
            }

            @Override
            public void delete(Path file) throws IOException {
                Files.deleteIfExists(file);
            }
        };
    }

    /** A file of the file system. */
    final class FileSink implements Sink {
        private final FileChannel channel;

        FileSink(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void append(byte[] octets) throws IOException {
            ByteBuffer left = ByteBuffer.wrap(octets);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }

        @Override
        public void cut(long length) throws IOException {
            channel.truncate(length);
            channel.position(length);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
