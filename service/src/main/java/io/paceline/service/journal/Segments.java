package io.paceline.service.journal;

import io.paceline.service.files.OwnerAlone;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folder of a journal: its segments by their numbers, and the lock that keeps a second process out. */
final class Segments implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("segment-(\\d{1,18})\\.journal");
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lockFile;

    private Segments(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /** A segment on disk. */
    record Segment(long number, Path file) {}

    /**
     * Opens the folder, making it where it is not there, and keeps others out until {@link #close}.
     *
     * @throws JournalException where another process has it, or it cannot be written
     */
    static Segments open(Path data) throws JournalException {
        Path folder = data.resolve("journal");
        try {
            Files.createDirectories(data);
            if (!Files.isDirectory(folder)) {
                Files.createDirectory(folder, OwnerAlone.folder(folder));
            }
            Path lock = folder.resolve(LOCK);
            FileChannel channel = FileChannel.open(
                    lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerAlone.file(lock));
            if (!locked(channel)) {
                channel.close();
                throw new JournalException(
                        "another process uses the data folder " + data
                                + ": end it, or give this one a folder of its own with --data",
                        null);
            }
            return new Segments(folder, channel);
        } catch (JournalException taken) {
            throw taken;
        } catch (IOException | UnsupportedOperationException e) {
            throw new JournalException(
                    "the journal folder " + folder
                            + " cannot be written: check its permissions, name another folder with --data, or write"
                            + " journal: off",
                    e);
        }
    }

    /** The system frees the lock of a process that was killed. */
    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException oneOfThisProcess) {
            return false;
        }
    }

    /** Those that there are, the oldest first. */
    List<Segment> list() throws IOException {
        List<Segment> segments = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    segments.add(new Segment(Long.parseLong(name.group(1)), file));
                }
            });
        }
        segments.sort(Comparator.comparingLong(Segment::number));
        return segments;
    }

    Path file(long number) {
        return folder.resolve(String.format(java.util.Locale.ROOT, "segment-%010d.journal", number));
    }

    /** Makes new and deleted files last, where the system can. */
    void force() {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notHere) {
            // Some systems do not open folders: they keep their names by themselves.
        }
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            // The process ends and frees it.
        }
    }
}
