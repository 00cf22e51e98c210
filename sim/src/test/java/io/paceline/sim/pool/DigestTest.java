package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Same seed, same history, on every machine and every Java: a change of these numbers is a change of behaviour, to be
 * told. Where it is meant, {@code mvn test -pl sim -am -Dtest=DigestTest -Dpaceline.renew-digests=true
 * -Dsurefire.failIfNoSpecifiedTests=false} writes them anew.
 */
class DigestTest {
    private static final String FILE = "digests.properties";

    /** One scenario each: of single faults, sessions with churn and restarts, and three instances over a bad network. */
    private static final Map<String, Long> RUNS =
            new TreeMap<>(Map.of("small-pool", 1L, "mixed-blame", 1L, "churn", 1L, "storm", 3L));

    @Test
    void a_known_seed_has_a_known_history() throws IOException {
        Map<String, String> seen = new TreeMap<>();
        RUNS.forEach((scenario, seed) -> seen.put(scenario + "/" + seed, digest(scenario, seed)));

        if (Boolean.getBoolean("paceline.renew-digests")) {
            StringBuilder text = new StringBuilder("# scenario/seed = digest of Paceline's history; see DigestTest\n");
            seen.forEach(
                    (run, digest) -> text.append(run).append('=').append(digest).append('\n'));
            Files.writeString(Path.of("src/test/resources", FILE), text);
        } else {
            assertThat(seen).isEqualTo(pinned());
        }
    }

    private static String digest(String name, long seed) {
        Scenario scenario = Scenarios.all().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        RunResult run = new World(scenario, Contestant.PACELINE, seed).run();
        assertThat(run.violations()).as(name).isEmpty();
        return Long.toHexString(run.digest());
    }

    private static Map<String, String> pinned() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = DigestTest.class.getResourceAsStream("/" + FILE)) {
            assertThat(in).as(FILE).isNotNull();
            properties.load(in);
        }
        Map<String, String> pinned = new TreeMap<>();
        properties.stringPropertyNames().forEach(run -> pinned.put(run, properties.getProperty(run)));
        return pinned;
    }
}
