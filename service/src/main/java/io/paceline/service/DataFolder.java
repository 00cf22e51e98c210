package io.paceline.service;

import io.paceline.service.files.OwnerAlone;
import io.paceline.service.supply.Vault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What outlives the process, in a folder: the secret that ids of addresses and leases are made with; copies of fetched
 * lists, added addresses and what was spent on them, which hold passwords. Nobody but the owner may read any of it.
 */
public final class DataFolder implements Vault {

    private static final String KEY_FILE = "secret.key";
    private static final String SUPPLY = "supply";

    private final Path folder;

    public DataFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * The keys, made at the first call that finds none. Two processes that start at once get the same.
     *
     * @throws IOException with one sentence for a person: the folder cannot be written, or the file is damaged
     */
    public Keys keys() throws IOException {
        Path file = folder.resolve(KEY_FILE);
        if (!Files.exists(file)) {
            create(file);
        }
        return read(file);
    }

    private Keys read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII).trim();
        } catch (IOException e) {
            throw new IOException("the key file " + file + " cannot be read: check its permissions", e);
        }
        try {
            return new Keys(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException damaged) {
            throw new IOException(
                    "the key file " + file + " is damaged: restore it, or delete it (addresses then get new ids, and"
                            + " leases that are out become unknown)",
                    damaged);
        }
    }

    /** Written aside and then linked: nobody ever reads half a key, and the first of two writers wins. */
    private void create(Path file) throws IOException {
        try {
            Files.createDirectories(folder);
            Path aside = Files.createTempFile(folder, KEY_FILE, ".new", OwnerAlone.file(file));
            try {
                Files.writeString(aside, HexFormat.of().formatHex(Keys.draw()) + "\n", StandardCharsets.US_ASCII);
                Files.createLink(file, aside);
            } catch (FileAlreadyExistsException theOtherWon) {
                // Its key is as good as ours.
            } finally {
                Files.deleteIfExists(aside);
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new IOException(
                    "the data folder " + folder + " cannot be written: create it, or name another with --data", e);
        }
    }

    @Override
    public Optional<byte[]> read(String name) throws IOException {
        try {
            return Optional.of(Files.readAllBytes(folder.resolve(SUPPLY).resolve(name)));
        } catch (NoSuchFileException never) {
            return Optional.empty();
        }
    }

    @Override
    public void write(String name, byte[] octets) throws IOException {
        Path inner = folder.resolve(SUPPLY);
        Files.createDirectories(inner);
        OwnerAlone.replace(inner.resolve(name), out -> out.write(octets));
    }
}
