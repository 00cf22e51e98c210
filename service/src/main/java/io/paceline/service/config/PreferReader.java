package io.paceline.service.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@code prefer}: the tags of the addresses that come first. */
final class PreferReader {

    private PreferReader() {}

    /** Empty where the section says nothing; {@code prefer: {}} prefers nobody. */
    static Optional<Map<String, String>> read(Section section) {
        return section.value("prefer").map(prefer -> {
            Map<String, String> tags = new LinkedHashMap<>();
            prefer.entries("prefer: {country: de}")
                    .forEach((tag, value) -> value.text().ifPresent(text -> tags.put(tag, text)));
            return tags;
        });
    }
}
