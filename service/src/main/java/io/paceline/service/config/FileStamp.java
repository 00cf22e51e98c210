package io.paceline.service.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * How a file looks from outside: two that are equal have, as good as certainly, the same content. The path is followed
 * through symbolic links, so that a link that is turned to another file is another look.
 *
 * @param exists false where there is nothing, or nothing that may be looked at; the rest is empty then
 * @param modifiedMicros when its content changed
 * @param changedMicros when its content or its attributes changed, which nobody can set back; 0 where the system keeps no
 *     such time
 * @param key the file itself: device and inode where the system has them
 * @param target where the path leads to in the end
 */
public record FileStamp(boolean exists, long size, long modifiedMicros, long changedMicros, String key, String target) {

    /** Nothing there. */
    public static final FileStamp ABSENT = new FileStamp(false, 0, 0, 0, "", "");

    /** The look of this moment. */
    public static FileStamp of(Path file) {
        try {
            String target = file.toRealPath().toString();
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    true,
                    attributes.size(),
                    attributes.lastModifiedTime().to(TimeUnit.MICROSECONDS),
                    changed(file),
                    String.valueOf(attributes.fileKey()),
                    target);
        } catch (IOException nothingToSee) {
            return ABSENT;
        }
    }

    private static long changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime") instanceof FileTime time ? time.to(TimeUnit.MICROSECONDS) : 0;
        } catch (UnsupportedOperationException | IllegalArgumentException noSuchTime) {
            return 0;
        }
    }
}
