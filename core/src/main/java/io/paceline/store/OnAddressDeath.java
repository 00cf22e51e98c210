package io.paceline.store;

import java.util.Locale;

/** What becomes of a session whose address is lost: dead, banned, removed, or out of service for too long. */
public enum OnAddressDeath {
    /** The caller is told {@code session_ended} until it ends the session, asks for another address, or its life is over. */
    END,
    /** The caller is told {@code session_paused} for as long as it takes. */
    PAUSE,
    /** The next request binds the session to another address, and its answer says so. */
    MIGRATE;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
