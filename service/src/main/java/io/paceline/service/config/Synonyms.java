package io.paceline.service.config;

import java.util.Optional;

/** Words of neighbouring programs that no edit distance leads from to ours. */
final class Synonyms {

    private Synonyms() {}

    static Optional<String> of(String key) {
        return switch (key) {
            case "action", "on_exceed" -> Optional.of("on_limit");
            case "scope", "key", "bucket" -> Optional.of("per");
            case "host", "domain", "url", "match" -> Optional.of("pattern");
            case "pattern" -> Optional.of("match");
            case "period", "interval", "duration" -> Optional.of("window");
            case "requests", "rate" -> Optional.of("limit");
            case "shadow" -> Optional.of("dry_run");
            case "proxies" -> Optional.of("addresses");
            case "address", "bind" -> Optional.of("listen");
            case "path" -> Optional.of("file");
            case "proxy", "url_inline" -> Optional.of("inline");
            default -> Optional.empty();
        };
    }
}
