package io.paceline.service.lists;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * What one line of a proxy list says: some proxies, nothing, or something that cannot be read.
 *
 * <p>Colon forms ({@code host:port:user:password}), columns and JSON fields are literal text; forms with an {@code @}
 * are percent-decoded. No message ever holds a piece of a line that could belong to a password.
 */
public sealed interface ProxyLine {

    /** One proxy, or as many as a range of ports holds. */
    record Entries(List<ProxyEntry> entries) implements ProxyLine {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /** An empty line, a comment, a header, a lone bracket. */
    record Skip() implements ProxyLine {}

    /**
     * A line that cannot be read.
     *
     * @param message what is wrong and what to write instead; never a piece of the credentials
     */
    record Bad(Fault fault, String message) implements ProxyLine {
        public Bad {
            Objects.requireNonNull(fault, "fault");
            Objects.requireNonNull(message, "message");
        }
    }

    /** Reads one line in any known format; never throws, whatever the line holds. */
    static ProxyLine parse(String line) {
        return new LineReader().read(line);
    }

    default <T> T match(Function<Entries, T> onEntries, Function<Skip, T> onSkip, Function<Bad, T> onBad) {
        if (this instanceof Entries entries) {
            return onEntries.apply(entries);
        }
        if (this instanceof Skip skip) {
            return onSkip.apply(skip);
        }
        return onBad.apply((Bad) this);
    }
}
