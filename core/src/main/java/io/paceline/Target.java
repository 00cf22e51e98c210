package io.paceline;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Objects;

/**
 * The unit by which sites are paced, blamed and remembered: the configured {@code targets[].name} that matches, else
 * the registrable domain, else the host itself. The port plays no part.
 *
 * @param name what people read
 * @param hash 64 bits of the name: the key of cells and limits inside the store
 */
public record Target(String name, long hash) {

    public Target {
        Objects.requireNonNull(name, "name");
    }

    public static Target of(String name) {
        return new Target(name, Hashing.komihash5_0().hashCharsToLong(name));
    }
}
