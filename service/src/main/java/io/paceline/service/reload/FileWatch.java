package io.paceline.service.reload;

import io.paceline.service.config.FileStamp;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the files of a configuration want to be read again: they look otherwise than when they were read, and have
 * looked the same for a while.
 *
 * <p>It compares looks and waits for no notice of the system: a truncated file, a renamed one, an editor's atomic save and
 * a symbolic link that is turned, however many steps away, are all another look, and a network file system tells of
 * nothing. The while is for whoever writes in two steps, truncating first. Confined to one thread.
 */
final class FileWatch {

    private final Function<Path, FileStamp> look;
    private Map<Path, FileStamp> read = Map.of();
    private @Nullable Map<Path, FileStamp> changed;
    private long changedMicros;

    /** @param look how a file looks at this moment */
    FileWatch(Function<Path, FileStamp> look) {
        this.look = look;
    }

    /** These were read, and looked so before. */
    void read(Map<Path, FileStamp> files) {
        read = new LinkedHashMap<>(files);
        changed = null;
    }

    /** Whether it is time to read them again; looks at every one. */
    boolean isDue(long nowMicros, long settleMicros) {
        Map<Path, FileStamp> now = new LinkedHashMap<>();
        read.keySet().forEach(file -> now.put(file, look.apply(file)));
        if (now.equals(read)) {
            changed = null;
            return false;
        }
        if (!now.equals(changed)) {
            changed = now;
            changedMicros = nowMicros;
        }
        return nowMicros - changedMicros >= settleMicros;
    }
}
