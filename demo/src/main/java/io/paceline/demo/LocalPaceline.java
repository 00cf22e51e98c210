package io.paceline.demo;

import io.paceline.service.Keys;
import io.paceline.service.Service;
import io.paceline.service.StartException;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.proxy.ProxySettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A whole Paceline in this process, on free ports of loopback, configured by files as anybody's is. */
final class LocalPaceline implements AutoCloseable {
    private static final String RETRIES = "paceline_proxy_retries_total{kind=\"http\"}";

    private final Service service;
    private final ApiClient client;

    private LocalPaceline(Service service) {
        this.service = service;
        this.client = new ApiClient(service.apiUrl());
    }

    /**
     * @param answerTimeout how long the forward proxy waits for an upstream's answer
     * @throws IOException where there is no room for a temporary file, or no port
     */
    static LocalPaceline start(DemoConfig config, Duration answerTimeout) throws IOException {
        Keys keys = Keys.ephemeral();
        ProxySettings.Timeouts usual = ProxySettings.Timeouts.defaults();
        ProxySettings.Timeouts timeouts = new ProxySettings.Timeouts(
                usual.header(),
                usual.connect(),
                usual.handshake(),
                answerTimeout,
                usual.idle(),
                usual.tunnelIdle(),
                usual.keepAlive());
        try {
            return new LocalPaceline(Service.start(load(config, keys), keys, timeouts));
        } catch (StartException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static ServiceConfig load(DemoConfig config, Keys keys) throws IOException {
        Path folder = Files.createTempDirectory("paceline-demo");
        Path list = folder.resolve(DemoConfig.LIST_NAME);
        Path file = folder.resolve("paceline.yaml");
        try {
            Files.writeString(list, config.proxyList());
            Files.writeString(file, config.yaml());
            AddressIds ids = AddressIds.keyed(keys.addresses());
            return ConfigLoader.load(ConfigInputs.none(Map.of(), folder, ids).withConfig(file))
                    .match(loaded -> loaded, errors -> {
                        throw new IllegalStateException("the demo's own configuration is wrong: " + errors);
                    });
        } finally {
            Files.deleteIfExists(list);
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    /** Of the permit API. */
    ApiClient api() {
        return client;
    }

    /** {@code 127.0.0.1:40124}. */
    String proxyAuthority() {
        return URI.create(service.proxyUrl()).getAuthority();
    }

    /** How often the forward proxy tried a request again on another address, by its metrics. */
    long retries() throws IOException {
        return client.get("/metrics")
                .lines()
                .filter(line -> line.startsWith(RETRIES + " "))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(RETRIES.length() + 1))))
                .findFirst()
                .orElseThrow(() -> new IOException("/metrics has no " + RETRIES));
    }

    @Override
    public void close() {
        client.close();
        service.stop(Duration.ofMillis(200));
    }
}
