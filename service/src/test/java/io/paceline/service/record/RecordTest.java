package io.paceline.service.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.Decision;
import io.paceline.Endpoint;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Target;
import io.paceline.Transition;
import io.paceline.health.ControlUrl;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.service.metrics.Pseudonyms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded is what is read again. */
class RecordTest {
    private static final long NOW = 1_772_366_400_000_000L;
    private static final long MIB = 1 << 20;

    private static final Address ADDRESS = new Address(
            "a17",
            new Endpoint(Endpoint.Scheme.HTTP, "198.51.100.7", 8080, new Credentials("user", "hunter2")),
            Map.of(),
            1,
            false);

    private static final LeaseId LEASE = new LeaseId(0xabcL, 1, 0, 5, NOW + 60_000_000);

    private static final Request REQUEST = Request.builder("https://www.example.com/secret-path?key=hunter2")
            .session("acct-17")
            .clientId("crawler-3")
            .tenant("shop")
            .cost(5)
            .priority(Request.Priority.LOW)
            .tags(Map.of("country", "de"))
            .maxWait(Duration.ofSeconds(2))
            .build();

    @TempDir
    private Path folder;

    @Test
    void everything_comes_back_but_no_secret_does() throws IOException {
        Path file = folder.resolve("run.jsonl");
        try (RecordWriter writer = RecordWriter.open(file, MIB, () -> NOW)) {
            Recorder recorder = recorder(writer);
            Lease lease = new Lease(
                    LEASE, ADDRESS, Target.of("example.com"), "default", "acct-17", NOW, NOW + 60_000_000, false);
            recorder.decided(REQUEST, "default", new Decision.Granted(List.of(lease)), NOW - 5_000, NOW);
            recorder.decided(
                    REQUEST, "default", new Decision.Refused(Reason.RATE_LIMITED, 1_000, "all", "over"), NOW, NOW + 1);
            Outcome outcome = new Outcome(Outcome.Kind.SUCCESS, 180_250, 200, 51_200, false);
            recorder.settled(LEASE, "default", "a17", "example.com", outcome, true);
            Standing out = new Standing(State.QUARANTINED, 2, NOW, NOW + 1, 1, 1, 0, NOW);
            recorder.transition(new Transition("default", "a17", null, Standing.fresh(1, NOW), out, "failures", "5"));
            recorder.expired("default", "a17");
            recorder.verdict(
                    "default",
                    Guilty.TARGET,
                    "example.com",
                    new Verdict(Guilty.TARGET, 5, 5, 6, false, 0.02, 0, 0, 5, 14.2, 9.2));
            recorder.controlUrl(new ControlUrl("https://check.example/ip", false, "it answers nobody", NOW));
        }

        assertThat(Files.readString(file))
                .contains(
                        "\"e\":\"verdict\",\"pool\":\"default\",\"on\":\"target\",\"name\":\"example.com\",\"guilty\":true")
                .contains("\"e\":\"control_url\",\"url\":\"https://check.example/ip\",\"alive\":false");
        List<RecordLine> lines = read(file);
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).isEqualTo(new RecordLine.Header(NOW, 1));
        RecordLine.Asked asked = (RecordLine.Asked) lines.get(1);
        assertThat(asked.askedMicros()).isEqualTo(NOW - 5_000);
        assertThat(asked.host()).isEqualTo("www.example.com");
        assertThat(asked.target()).isEqualTo("example.com");
        assertThat(asked.tags()).containsEntry("country", "de");
        assertThat(asked.tenant()).isEqualTo("shop");
        assertThat(asked.wanted()).isEqualTo(new RecordLine.Wanted(1, 5, Request.Priority.LOW, 2_000_000));
        assertThat(asked.leases()).containsExactly(new RecordLine.Leased("abc", "a17", false));
        RecordLine.Asked refused = (RecordLine.Asked) lines.get(2);
        assertThat(refused.result()).isEqualTo("rate_limited");
        assertThat(refused.rule()).isEqualTo("all");
        assertThat(refused.session()).startsWith("~").isEqualTo(asked.session());
        assertThat(lines.get(3))
                .isEqualTo(new RecordLine.Ended(
                        NOW, "default", "a17", "example.com", "abc", Outcome.Kind.SUCCESS, 180_250, 200));
        assertThat(lines.get(4))
                .isEqualTo(new RecordLine.Moved(NOW, "default", "a17", null, "healthy", "quarantined", "failures"));
        assertThat(lines.get(5)).isEqualTo(new RecordLine.Expired(NOW, "default", "a17"));
        assertThat(Files.readString(file))
                .doesNotContain("hunter2", "acct-17", "crawler-3", "secret-path", "198.51.100.7");
    }

    @Test
    void a_record_never_outgrows_its_bound_and_keeps_the_newest() throws IOException {
        Path file = folder.resolve("run.jsonl");
        RecordFile record = RecordFile.open(file, RecordFile.LEAST_OCTETS, () -> NOW);
        RecordWriter writer = new RecordWriter(record, () -> NOW, 10_000);
        for (int i = 0; i < 5_000; i++) {
            recorder(writer).expired("default", "a" + i);
        }
        writer.close();

        Path older = folder.resolve("run.jsonl.1");
        assertThat(Files.size(file) + Files.size(older)).isLessThanOrEqualTo(RecordFile.LEAST_OCTETS);
        List<RecordLine> newest = read(file);
        assertThat(newest.get(newest.size() - 1)).isEqualTo(new RecordLine.Expired(NOW, "default", "a4999"));
        assertThat(read(older).get(0)).isInstanceOf(RecordLine.Header.class);
    }

    @Test
    void what_is_too_much_is_dropped_and_the_record_says_so() throws IOException {
        Path file = folder.resolve("run.jsonl");
        RecordWriter writer = new RecordWriter(RecordFile.open(file, MIB, () -> NOW), () -> NOW, 2);
        for (int i = 0; i < 5; i++) {
            recorder(writer).expired("default", "a" + i);
        }
        assertThat(writer.dropped()).isEqualTo(3);
        writer.close();

        assertThat(read(file)).contains(new RecordLine.Dropped(NOW, 3));
    }

    @Test
    void a_record_is_continued_past_a_line_that_a_kill_has_torn() throws IOException {
        Path file = folder.resolve("run.jsonl");
        writeOne(file, "a1");
        Files.writeString(file, "{\"t\":17723", StandardOpenOption.APPEND);
        for (int i = 0; i < 200; i++) {
            writeOne(file, "a2");
        }

        List<String> broken = new ArrayList<>();
        List<RecordLine> lines = new ArrayList<>();
        RecordReader.Summary summary =
                RecordReader.read(file, lines::add, (number, what) -> broken.add(number + ": " + what), line -> {});
        assertThat(summary.broken()).isEqualTo(1);
        assertThat(broken).singleElement().asString().startsWith("3: it is not JSON");
        assertThat(lines).contains(new RecordLine.Expired(NOW, "default", "a2"));
    }

    @Test
    void what_is_no_record_is_neither_read_nor_written_over() throws IOException {
        Path file = Files.writeString(folder.resolve("list.txt"), "198.51.100.7:8080\n");

        assertThatThrownBy(() -> read(file)).hasMessageContaining("is no record");
        assertThatThrownBy(() -> RecordWriter.open(file, MIB, () -> NOW))
                .hasMessageContaining("exists and is no record");
        assertThatThrownBy(() -> read(folder.resolve("none"))).hasMessageContaining("there is no file");
        assertThatThrownBy(() -> RecordWriter.open(folder.resolve("no/folder"), MIB, () -> NOW))
                .hasMessageContaining("cannot be written");
        assertThat(Files.readString(file)).isEqualTo("198.51.100.7:8080\n");
    }

    @Test
    void a_record_of_a_later_version_or_with_too_many_broken_lines_is_refused() throws IOException {
        Path later = Files.writeString(folder.resolve("later"), "{\"paceline_record\":2,\"t\":1}\n");
        Path damaged = Files.writeString(folder.resolve("damaged"), "{\"paceline_record\":1,\"t\":1}\nx\n{}\n");

        assertThatThrownBy(() -> read(later)).hasMessageContaining("version 2");
        assertThatThrownBy(() -> read(damaged)).hasMessageContaining("2 of its 3 lines");
    }

    @Test
    void kinds_of_lines_and_fields_that_a_later_program_adds_are_passed_over() throws IOException {
        Path file = Files.writeString(
                folder.resolve("run"), "{\"paceline_record\":1,\"t\":1,\"new\":[]}\n{\"t\":2,\"e\":\"verdict\"}\n");

        assertThat(read(file)).hasSize(1);
    }

    @Test
    void sizes_are_read_with_binary_units() {
        assertThat(RecordSettings.octets("1GiB")).isEqualTo(1L << 30);
        assertThat(RecordSettings.octets("64 kib")).isEqualTo(65_536);
        assertThat(RecordSettings.octets("100000")).isEqualTo(100_000);
        assertThatThrownBy(() -> RecordSettings.octets("much")).hasMessageContaining("write 1GiB");
    }

    private static Recorder recorder(RecordWriter writer) {
        return new Recorder(writer, () -> NOW, new Pseudonyms("a key of a test".getBytes(StandardCharsets.UTF_8)));
    }

    private static void writeOne(Path file, String address) throws IOException {
        try (RecordWriter writer = RecordWriter.open(file, MIB, () -> NOW)) {
            recorder(writer).expired("default", address);
        }
    }

    private static List<RecordLine> read(Path file) throws IOException {
        List<RecordLine> lines = new ArrayList<>();
        RecordReader.read(file, lines::add, (number, what) -> {}, progress -> {});
        return lines;
    }
}
