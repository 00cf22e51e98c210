package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each broken file of {@code resources/broken} is refused with the lines of {@code expected.txt}, all of them. */
class BrokenFilesTest {

    static Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".yaml"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_broken_file_is_refused_with_line_column_and_remedy(String file) throws IOException {
        List<String> expected = Files.readAllLines(folder().resolve("expected.txt")).stream()
                .filter(line -> line.startsWith(file + ":"))
                .toList();
        assertThat(expected).isNotEmpty().allMatch(line -> line.matches("[^:]+:[0-9]+:[0-9]+: .+"));

        assertThat(Configs.errors(ConfigLoader.load(Configs.inputs(folder()).withConfig(Path.of(file)))))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void no_error_shows_a_password() throws IOException {
        assertThat(Files.readString(folder().resolve("many-at-once.yaml"))).contains("s3cr3t");
        assertThat(Files.readString(folder().resolve("expected.txt"))).doesNotContain("s3cr3t");
    }

    private static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(BrokenFilesTest.class.getResource("/broken/expected.txt"))
                            .toURI())
                    .resolveSibling("");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
