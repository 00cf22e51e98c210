package io.paceline.service.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a configuration is loaded from.
 *
 * @param config the configuration file, if there is one
 * @param proxies lists that make up the pool {@code default}
 * @param rules a file with {@code rules:} alone
 * @param apiListen takes the place of {@code api.listen}
 * @param proxyListen takes the place of {@code proxy.listen}
 * @param store takes the place of {@code store}
 * @param allowPrivateTargets true takes the place of {@code proxy.allow_private_targets}
 * @param environment what {@code ${NAME}} stands for
 * @param baseDir the folder that relative paths of the command line start from; those inside the configuration start
 *     from its own folder
 * @param ids names the addresses
 */
public record ConfigInputs(
        Optional<Path> config,
        List<Path> proxies,
        Optional<Path> rules,
        Optional<String> apiListen,
        Optional<String> proxyListen,
        Optional<String> store,
        boolean allowPrivateTargets,
        Map<String, String> environment,
        Path baseDir,
        AddressIds ids) {

    public ConfigInputs {
        proxies = List.copyOf(proxies);
        environment = Map.copyOf(environment);
        Objects.requireNonNull(baseDir, "baseDir");
        Objects.requireNonNull(ids, "ids");
    }

    /** Nothing configured at all: our own address, at the default pace. */
    public static ConfigInputs none(Map<String, String> environment, Path baseDir, AddressIds ids) {
        return new ConfigInputs(
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                environment,
                baseDir,
                ids);
    }

    public ConfigInputs withConfig(Path file) {
        return withFiles(Optional.of(file), proxies, rules);
    }

    public ConfigInputs withFiles(Optional<Path> newConfig, List<Path> newProxies, Optional<Path> newRules) {
        return new ConfigInputs(
                newConfig,
                newProxies,
                newRules,
                apiListen,
                proxyListen,
                store,
                allowPrivateTargets,
                environment,
                baseDir,
                ids);
    }

    public ConfigInputs withOverrides(
            Optional<String> newApi, Optional<String> newProxy, Optional<String> newStore, boolean newAllowPrivate) {
        return new ConfigInputs(
                config, proxies, rules, newApi, newProxy, newStore, newAllowPrivate, environment, baseDir, ids);
    }
}
