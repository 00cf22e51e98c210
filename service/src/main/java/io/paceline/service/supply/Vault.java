package io.paceline.service.supply;

import java.io.IOException;
import java.util.Optional;

/** Keeps small files of this installation that nobody else may read, since they hold passwords. */
public interface Vault {

    /** Keeps nothing, where there is no folder to keep it in. */
    Vault NONE = new Vault() {
        @Override
        public Optional<byte[]> read(String name) {
            return Optional.empty();
        }

        @Override
        public void write(String name, byte[] octets) {}
    };

    /** What was written last under this name; empty where nothing was. */
    Optional<byte[]> read(String name) throws IOException;

    /** Takes the place of what was there, at once and as a whole. */
    void write(String name, byte[] octets) throws IOException;
}
