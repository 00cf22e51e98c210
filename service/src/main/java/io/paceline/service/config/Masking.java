package io.paceline.service.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values that came out of the environment or out of secret files, and what stands for them in text: their
 * {@code ${NAME}}. Not thread-safe while loading, not changed afterwards.
 */
public final class Masking {

    /** A shorter value is part of too many words to be replaced; nobody's secret is that short. */
    private static final int MIN_LENGTH = 3;

    private final Map<String, String> placeholders = new LinkedHashMap<>();

    Masking() {}

    void add(String value, String placeholder) {
        if (value.length() >= MIN_LENGTH) {
            placeholders.putIfAbsent(value, placeholder);
        }
    }

    /** The text with every such value replaced. */
    String mask(String text) {
        String masked = text;
        for (Map.Entry<String, String> entry : placeholders.entrySet()) {
            masked = masked.replace(entry.getKey(), entry.getValue());
        }
        return masked;
    }

    @Override
    public String toString() {
        return placeholders.size() + " values masked";
    }
}
