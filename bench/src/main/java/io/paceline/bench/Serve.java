package io.paceline.bench;

import io.paceline.service.Keys;
import io.paceline.service.Service;
import io.paceline.service.StartException;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ConfigResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The service with a configuration file and nothing kept on disk: prints the ready line, runs until it is terminated. */
public final class Serve {
    private Serve() {}

    public static void main(String[] args) throws StartException {
        Path file = Path.of(args[0]).toAbsolutePath();
        Path folder = Path.of("").toAbsolutePath();
        ConfigInputs inputs = ConfigInputs.none(Map.of(), folder, AddressIds.keyed(new byte[32]))
                .withConfig(file);
        if (!(ConfigLoader.load(inputs) instanceof ConfigResult.Loaded loaded)) {
            throw new IllegalArgumentException(file + " is no valid configuration: paceline check says why");
        }
        Service service = Service.start(loaded.config(), Keys.ephemeral());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> service.stop(Duration.ofSeconds(1))));
        System.out.println(service.readyLine());
    }
}
