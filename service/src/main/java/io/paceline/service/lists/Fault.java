package io.paceline.service.lists;

import java.util.Locale;

/** The kinds of mistake in a line of a proxy list. */
public enum Fault {
    UNSUPPORTED_SCHEME,
    /** An IPv6 literal without brackets: its last group may be a port. */
    AMBIGUOUS_IPV6,
    /** Two readings of the fields are equally good. */
    AMBIGUOUS_FIELDS,
    MISSING_PORT,
    BAD_PORT,
    BAD_HOST,
    MISSING_PASSWORD,
    /** Something follows the port. */
    UNEXPECTED_PATH,
    /** Blanks or fields that no known format has. */
    UNEXPECTED_FIELDS,
    CONTROL_CHARACTER,
    BAD_ENCODING,
    BAD_JSON,
    TOO_LONG,
    TOO_MANY;

    /** The snake_case word used in JSON and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
