package io.paceline.service.supply;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A vault in memory, which a test may break. */
final class MemoryVault implements Vault {

    final Map<String, byte[]> files = new LinkedHashMap<>();
    boolean broken;

    @Override
    public Optional<byte[]> read(String name) {
        return Optional.ofNullable(files.get(name));
    }

    @Override
    public void write(String name, byte[] octets) throws IOException {
        if (broken) {
            throw new IOException("the disk is full");
        }
        files.put(name, octets.clone());
    }
}
