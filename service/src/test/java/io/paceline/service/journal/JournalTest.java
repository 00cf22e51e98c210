package io.paceline.service.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Ticker;
import io.paceline.store.RandomHistory;
import io.paceline.store.StoreSnapshot;
import io.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a journal keeps, over kills, torn and lost writes, flipped bits and full disks. */
class JournalTest {
    private static final int SMALL = 30;

    /** Behind every journal: a store that is opened with it stands at its last instant. */
    private static final Ticker STANDING = () -> 0;

    private final VirtualTime time = new VirtualTime();

    @TempDir
    private Path data;

    private static void steps(RandomHistory history, Kept kept, int count) {
        for (int i = 0; i < count; i++) {
            history.step(kept.store);
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    private Path newest() throws IOException {
        List<Path> all = segments();
        return all.get(all.size() - 1);
    }

    /** What a start would find; the folder is left as it is. */
    private StoreSnapshot found() {
        Kept again = Kept.open(data, STANDING);
        StoreSnapshot snapshot = again.snapshot();
        again.kill();
        return snapshot;
    }

    @Test
    void a_store_that_was_closed_is_the_same_when_it_is_opened_again() {
        Kept kept = Kept.open(data, time);
        steps(new RandomHistory(1, time), kept, 2_000);
        StoreSnapshot last = kept.snapshot();
        kept.close();

        assertThat(found()).isEqualTo(last);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whenever_it_is_killed_the_store_is_as_it_was_at_the_last_flush(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomHistory history = new RandomHistory(seed, time);
        Kept kept = Kept.open(data, time);
        kept.journal.flush();
        StoreSnapshot flushed = kept.snapshot();
        for (int i = 0; i < 300; i++) {
            steps(history, kept, random.nextInt(30));
            if (random.nextInt(3) > 0) {
                flushed = kept.snapshot();
                assertThat(kept.journal.flush()).isTrue();
            }
            if (random.nextInt(8) == 0) {
                kept.kill();
                assertThat(found()).as("life that began in round %s", i).isEqualTo(flushed);
                kept = Kept.open(data, time);
                if (random.nextBoolean()) {
                    flushed = kept.snapshot();
                    kept.journal.flush();
                }
            }
        }
        kept.close();
    }

    @Test
    void a_last_write_that_is_torn_at_any_octet_is_cut_off() throws IOException {
        RandomHistory history = new RandomHistory(5, time);
        Kept kept = Kept.open(data, time);
        steps(history, kept, 100);
        kept.journal.flush();
        StoreSnapshot before = kept.snapshot();
        long whole = Files.size(newest());
        steps(history, kept, 8);
        kept.journal.flush();
        StoreSnapshot after = kept.snapshot();
        kept.kill();
        byte[] octets = Files.readAllBytes(newest());
        assertThat(octets.length).isGreaterThan((int) whole + SMALL);

        for (int length = (int) whole; length <= octets.length; length++) {
            Files.write(newest(), Arrays.copyOf(octets, length));
            assertThat(found()).as("cut at %s", length).isEqualTo(length == octets.length ? after : before);
        }
    }

    @Test
    void a_tail_of_zeros_or_of_anything_else_is_cut_off() throws IOException {
        RandomHistory history = new RandomHistory(6, time);
        Kept kept = Kept.open(data, time);
        steps(history, kept, 300);
        kept.journal.flush();
        StoreSnapshot before = kept.snapshot();
        kept.kill();
        byte[] octets = Files.readAllBytes(newest());
        SplittableRandom random = new SplittableRandom(6);

        for (int i = 0; i < SMALL; i++) {
            byte[] longer = Arrays.copyOf(octets, octets.length + 1 + random.nextInt(5_000));
            for (int at = octets.length; i > 0 && at < longer.length; at++) {
                longer[at] = (byte) random.nextInt();
            }
            Files.write(newest(), longer);
            assertThat(found()).isEqualTo(before);
        }
    }

    @Test
    void whatever_bits_are_flipped_it_starts_and_the_store_goes_on() throws IOException {
        RandomHistory history = new RandomHistory(7, time);
        Kept kept = Kept.open(data, time);
        for (int i = 0; i < 60; i++) {
            steps(history, kept, 20);
            kept.journal.flush();
        }
        kept.kill();
        List<Path> files = segments();
        SplittableRandom random = new SplittableRandom(7);

        for (int i = 0; i < 150; i++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] octets = Files.readAllBytes(file);
            byte[] damaged = octets.clone();
            for (int bits = random.nextInt(1, 4); bits > 0; bits--) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, damaged);
            Kept again = Kept.open(data, time);
            steps(new RandomHistory(i, time), again, 20);
            again.kill();
            Files.write(file, octets);
        }
    }

    @Test
    void a_segment_whose_beginning_is_damaged_is_put_on_top_of_the_one_before() throws IOException {
        RandomHistory history = new RandomHistory(8, time);
        Kept kept = Kept.open(data, time);
        steps(history, kept, 400);
        kept.close();
        kept = Kept.open(data, time);
        kept.journal.flush();
        StoreSnapshot last = kept.snapshot();
        kept.kill();
        byte[] octets = Files.readAllBytes(newest());
        octets[Frame.HEADER + Frame.HEAD + 5] ^= 1;
        Files.write(newest(), octets);

        assertThat(found()).isEqualTo(last);
    }

    @Test
    void a_full_disk_is_told_and_nothing_is_missing_when_there_is_room_again() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        RandomHistory history = new RandomHistory(9, time);
        Kept kept = Kept.open(data, time, disk, Kept.BY_HAND);
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 200; i++) {
            steps(history, kept, 15);
            disk.room(random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(4_000));
            boolean written = kept.journal.flush();
            assertThat(kept.journal.trouble().isPresent()).isEqualTo(!written);
            if (random.nextInt(10) == 0) {
                disk.room(Long.MAX_VALUE);
                assertThat(kept.journal.flush()).isTrue();
                StoreSnapshot flushed = kept.snapshot();
                assertThat(kept.journal.flush()).isTrue();
                kept.kill();
                assertThat(found()).as("round %s", i).isEqualTo(flushed);
                kept = Kept.open(data, time, disk, Kept.BY_HAND);
            }
        }
        assertThat(kept.journal.errors()).isPositive();
        disk.room(Long.MAX_VALUE);
        kept.close();
    }

    @Test
    void what_could_not_be_brought_to_the_disk_is_written_once_more() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        JournalSettings always = new JournalSettings(true, Duration.ofSeconds(1), JournalSettings.Fsync.ALWAYS);
        RandomHistory history = new RandomHistory(10, time);
        Kept kept = Kept.open(data, time, disk, always);
        steps(history, kept, 100);
        assertThat(kept.journal.flush()).isTrue();
        Path first = newest();
        steps(history, kept, 100);
        disk.forceFails(true);
        assertThat(kept.journal.flush()).isFalse();
        assertThat(kept.journal.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("Input/output error"));
        disk.forceFails(false);
        assertThat(kept.journal.flush()).isTrue();
        StoreSnapshot last = kept.snapshot();
        kept.kill();

        assertThat(newest()).isNotEqualTo(first);
        assertThat(found()).isEqualTo(last);
    }

    @Test
    void old_segments_go_so_that_the_folder_stays_small() throws IOException {
        RandomHistory history = new RandomHistory(11, time);
        Kept kept = Kept.open(data, time);
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            steps(history, kept, 20);
            kept.journal.flush();
            counts.add(segments().size());
        }
        kept.close();

        assertThat(newest().getFileName().toString()).isGreaterThan("segment-0000000003.journal");
        assertThat(counts).allMatch(count -> count <= 2);
    }

    @Test
    void a_journal_of_a_newer_version_is_left_alone_and_named() throws IOException {
        Kept.open(data, time).close();
        Path newer = data.resolve("journal/segment-0000000099.journal");
        Files.write(newer, Frame.header(99, Frame.VERSION + 1));

        assertThatThrownBy(() -> Journal.open(data, JournalSettings.defaults()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(newer.toString())
                .hasMessageContaining("newer version")
                .hasMessageContaining("--data");
        assertThat(newer).exists();
    }

    @Test
    void a_second_one_does_not_get_the_folder_until_the_first_has_left() {
        Kept first = Kept.open(data, time);

        assertThatThrownBy(() -> Journal.open(data, JournalSettings.defaults()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("another process")
                .hasMessageContaining(data.toString());
        first.close();
        Kept.open(data, time).close();
    }

    @Test
    void nobody_else_can_read_it() throws IOException {
        Kept kept = Kept.open(data, time);
        kept.journal.flush();
        kept.close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(newest())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("journal"))))
                .isEqualTo("rwx------");
    }

    @Test
    void what_does_not_change_is_not_written_again() throws IOException {
        Kept kept = Kept.open(data, time);
        steps(new RandomHistory(12, time), kept, 100);
        kept.journal.flush();
        long octets = Files.size(newest());
        kept.journal.flush();

        assertThat(Files.size(newest())).isEqualTo(octets);
        kept.close();
    }
}
