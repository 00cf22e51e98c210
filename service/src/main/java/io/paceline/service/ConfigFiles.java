package io.paceline.service;

import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ConfigResult;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.supply.Vault;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Where a configuration comes from, so that it can be read again.
 *
 * @param source reads everything anew
 * @param vault keeps what is in no file of the user's: copies of lists, added addresses
 */
public record ConfigFiles(Supplier<ConfigResult> source, Vault vault) {

    public ConfigFiles {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(vault, "vault");
    }

    /** The files that a command line names. */
    public static ConfigFiles of(ConfigInputs inputs, Vault vault) {
        return new ConfigFiles(() -> ConfigLoader.load(inputs), vault);
    }

    /** No files: the configuration is what it is. */
    public static ConfigFiles none(ServiceConfig config) {
        return new ConfigFiles(() -> new ConfigResult.Loaded(config), Vault.NONE);
    }
}
