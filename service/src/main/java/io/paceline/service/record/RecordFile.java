package io.paceline.service.record;

import io.paceline.Ticker;
import io.paceline.service.files.OwnerAlone;
import io.paceline.service.metrics.BuildInfo;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file of a record, and the one before it: at half of the size allowed the file becomes {@code FILE.1}, in place of
 * the one that bore that name, and a new one begins. So the last half, at least, is always there, and the disk never
 * fills. A file that is there already is continued, if it is a record. Confined to one thread.
 */
final class RecordFile implements AutoCloseable {

    /** A record that holds less is of no use. */
    static final long LEAST_OCTETS = 64 * 1024;

    private static final int BUFFER = 64 * 1024;

    private final Path path;
    private final long halfOctets;
    private final Ticker ticker;
    private OutputStream out;
    private long octets;

    private RecordFile(Path path, long maxOctets, Ticker ticker) throws IOException {
        this.path = path;
        this.halfOctets = maxOctets / 2;
        this.ticker = ticker;
        this.out = open();
        begin();
    }

    /** @throws IOException with one sentence for a person: the file cannot be written, or is something else */
    static RecordFile open(Path path, long maxOctets, Ticker ticker) throws IOException {
        if (maxOctets < LEAST_OCTETS) {
            throw new IOException("a record of at most " + maxOctets + " octets is too small: allow 64KiB or more");
        }
        if (Files.exists(path) && Files.size(path) > 0 && !RecordReader.isRecord(path)) {
            throw new IOException(path + " exists and is no record: name another file, or move it away");
        }
        try {
            return new RecordFile(path, maxOctets, ticker);
        } catch (IOException e) {
            throw new IOException(
                    "the record " + path + " cannot be written: check that its folder exists and may be written to", e);
        }
    }

    private OutputStream open() throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, OwnerAlone.file(path));
        }
        octets = Files.exists(path) ? Files.size(path) : 0;
        boolean torn = octets > 0 && !endsWithLine();
        OutputStream opened = new BufferedOutputStream(
                Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), BUFFER);
        if (torn) {
            // The process before was killed in the middle of a line: only that one is lost.
            opened.write('\n');
            octets++;
        }
        return opened;
    }

    private boolean endsWithLine() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(file.length() - 1);
            return file.read() == '\n';
        }
    }

    private void begin() throws IOException {
        long now = ticker.micros();
        write(RecordWriter.line(json -> {
            json.writeNumberField("paceline_record", RecordLine.VERSION);
            json.writeNumberField("t", now);
            json.writeStringField("written_by", "paceline " + BuildInfo.version());
        }));
    }

    void append(byte[] line) throws IOException {
        if (octets + line.length > halfOctets) {
            out.close();
            Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            out = open();
            begin();
        }
        write(line);
    }

    private void write(byte[] line) throws IOException {
        out.write(line);
        octets += line.length;
    }

    void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
