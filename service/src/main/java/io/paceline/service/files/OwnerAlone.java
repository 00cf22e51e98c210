package io.paceline.service.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and folders that nobody but their owner may read, where the file system knows of owners. */
public final class OwnerAlone {

    /** Writes what a file is to hold. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private OwnerAlone() {}

    /** For a file that is to be made. */
    public static FileAttribute<?>[] file(Path file) throws IOException {
        return permissions(file, "rw-------");
    }

    /** For a folder that is to be made. */
    public static FileAttribute<?>[] folder(Path folder) throws IOException {
        return permissions(folder, "rwx------");
    }

    private static FileAttribute<?>[] permissions(Path path, String permissions) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        boolean posix = parent != null && Files.getFileStore(parent).supportsFileAttributeView("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Writes a file anew: aside, and then moved, so that whoever reads, and whatever breaks, finds the old or the new. One
     * writer at a time.
     */
    public static void replace(Path file, Content content) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(aside);
        try {
            Files.createFile(aside, file(aside));
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(aside))) {
                content.writeTo(out);
            }
            move(aside, file);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
