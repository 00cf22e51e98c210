package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher's script. */
@Tag("tools")
class LauncherIT {

    private static final Path LAUNCHER = Path.of("..", "paceline");

    @Test
    void shellcheck_has_nothing_to_say() throws IOException, InterruptedException {
        Process shellcheck = new ProcessBuilder("shellcheck", LAUNCHER.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(shellcheck.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shellcheck.waitFor()).as(said).isZero();
    }

    @Test
    void a_java_home_without_java_is_named() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "check").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", "/nowhere");
        Process launcher = builder.start();
        String said = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(launcher.waitFor()).isEqualTo(3);
        assertThat(said).contains("JAVA_HOME is /nowhere").contains("Java 17");
    }
}
