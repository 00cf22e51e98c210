package io.paceline.pace;

/** Names that become part of a bucket's key: short, visible, without the character that separates its parts. */
final class Names {
    static final char SEPARATOR = '|';
    private static final int MAX_LENGTH = 200;

    private Names() {}

    static void check(String field, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(field + " is empty");
        }
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    field + " of " + name.length() + " characters is longer than " + MAX_LENGTH);
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == SEPARATOR || Character.isISOControl(name.charAt(i))) {
                throw new IllegalArgumentException(
                        field + " '" + Hosts.shown(name) + "' has a '|' or a control character: leave it out");
            }
        }
    }
}
