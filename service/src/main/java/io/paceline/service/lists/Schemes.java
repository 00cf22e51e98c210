package io.paceline.service.lists;

import io.paceline.Endpoint.Scheme;
import java.util.Locale;
import java.util.Optional;

/** The words in front of {@code ://}. */
final class Schemes {

    static final String KNOWN = "http, https, socks4, socks4a, socks5 or socks5h";
    private static final int SHOWN = 20;

    private Schemes() {}

    static Optional<Scheme> ofWord(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "http" -> Optional.of(Scheme.HTTP);
            case "https" -> Optional.of(Scheme.HTTPS);
            case "socks4" -> Optional.of(Scheme.SOCKS4);
            case "socks4a" -> Optional.of(Scheme.SOCKS4A);
            case "socks5" -> Optional.of(Scheme.SOCKS5);
            case "socks5h" -> Optional.of(Scheme.SOCKS5H);
            default -> Optional.empty();
        };
    }

    /** @throws BadLineException naming the word, which stands in front of {@code ://} and so is no password */
    static Scheme require(String word) throws BadLineException {
        Optional<Scheme> scheme = ofWord(word);
        if (scheme.isEmpty()) {
            String shown = word.length() > SHOWN ? word.substring(0, SHOWN) + "..." : word;
            throw new BadLineException(
                    Fault.UNSUPPORTED_SCHEME, "the scheme \"" + shown + "\" is not supported: write " + KNOWN);
        }
        return scheme.get();
    }
}
