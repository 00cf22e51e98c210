package io.paceline.service.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.service.config.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which people and machines change a file, on a real file system. */
class FileWatchTest {

    private static final long SETTLE = 500_000;

    @TempDir
    private Path folder;

    private Path file;
    private final FileWatch watch = new FileWatch(FileStamp::of);
    private long now = 1_000_000;

    @BeforeEach
    void aFile() throws IOException {
        file = Files.writeString(folder.resolve("rules.yaml"), "one");
        watching(file);
    }

    private void watching(Path... files) {
        Map<Path, FileStamp> stamps = new LinkedHashMap<>();
        for (Path each : files) {
            stamps.put(each, FileStamp.of(each));
        }
        watch.read(stamps);
    }

    private boolean dueAfter(long micros) {
        now += micros;
        return watch.isDue(now, SETTLE);
    }

    /** It is due, but not before it has been quiet for the while. */
    private void assertChanged() {
        assertThat(dueAfter(100_000)).as("at once").isFalse();
        assertThat(dueAfter(499_999)).as("in the while").isFalse();
        assertThat(dueAfter(1)).as("after it").isTrue();
    }

    @Test
    void what_nobody_touches_is_never_due() {
        for (int i = 0; i < 100; i++) {
            assertThat(dueAfter(1_000_000)).isFalse();
        }
    }

    @Test
    void truncated_and_written_a_moment_later_it_is_due_once_it_is_whole() throws IOException {
        Files.writeString(file, "");
        assertThat(dueAfter(100_000)).isFalse();
        assertThat(dueAfter(200_000)).isFalse();
        Files.writeString(file, "two");
        assertThat(dueAfter(100_000)).isFalse();
        assertThat(dueAfter(300_000)).as("the while begins anew").isFalse();
        assertThat(dueAfter(200_000)).isTrue();
        watching(file);
        assertThat(dueAfter(1_000_000)).isFalse();
    }

    @Test
    void another_file_moved_over_it_is_another_look() throws IOException {
        Path other = Files.writeString(folder.resolve("rules.yaml.tmp"), "two");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        assertChanged();
    }

    @Test
    void a_time_that_is_set_back_deceives_nobody() throws IOException {
        FileStamp original = FileStamp.of(file);
        FileTime before = Files.getLastModifiedTime(file);
        FileStamp changed = original;
        for (int i = 0; i < 1_000_000 && changed.equals(original); i++) { // clocks of file systems are coarse
            Files.writeString(file, "two");
            Files.setLastModifiedTime(file, before);
            changed = FileStamp.of(file);
        }
        assertThat(changed.modifiedMicros()).isEqualTo(original.modifiedMicros());
        assertChanged();
    }

    @Test
    void a_link_that_is_turned_two_steps_away_is_another_look() throws IOException {
        // As Kubernetes shows a ConfigMap: rules.yaml -> ..data/rules.yaml, ..data -> ..2026_1
        Path first = Files.createDirectory(folder.resolve("..2026_1"));
        Path second = Files.createDirectory(folder.resolve("..2026_2"));
        Files.writeString(first.resolve("mapped.yaml"), "same");
        Files.copy(first.resolve("mapped.yaml"), second.resolve("mapped.yaml"), StandardCopyOption.COPY_ATTRIBUTES);
        Path data = Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
        Path mapped = Files.createSymbolicLink(folder.resolve("mapped.yaml"), Path.of("..data", "mapped.yaml"));
        watching(mapped);
        assertThat(dueAfter(1_000_000)).isFalse();

        Path turned = Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName());
        Files.move(turned, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        assertChanged();
    }

    @Test
    void a_file_that_goes_is_a_change_and_one_that_comes_back_as_it_was_is_none() throws IOException {
        Path aside = folder.resolve("aside");
        Files.move(file, aside);
        assertThat(dueAfter(100_000)).isFalse();
        Files.copy(aside, file);
        Files.delete(aside);
        assertChanged();

        watching(file);
        Files.delete(file);
        assertChanged();
    }

    @Test
    void a_file_that_was_missing_is_waited_for() throws IOException {
        Path missing = folder.resolve("list.txt");
        watching(file, missing);
        assertThat(dueAfter(1_000_000)).isFalse();
        Files.writeString(missing, "198.51.100.7:8080");
        assertChanged();
    }

    @Test
    void what_keeps_changing_is_not_read_in_between() throws IOException {
        for (int i = 0; i < 20; i++) {
            Files.writeString(file, "line\n".repeat(i + 2));
            assertThat(dueAfter(400_000)).isFalse();
        }
        assertThat(dueAfter(500_000)).isTrue();
    }
}
