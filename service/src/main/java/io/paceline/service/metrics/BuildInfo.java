package io.paceline.service.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What was built: the version that {@code --version}, the API and {@code paceline_build_info} show. */
public final class BuildInfo {

    private static final String VERSION = read();

    private BuildInfo() {}

    public static String version() {
        return VERSION;
    }

    private static String read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
