package io.paceline.service.api;

import io.paceline.LeaseId;
import java.util.Optional;

/** Reads the leases that callers send: a caller knows those of its own tenant, an operator without one those of all. */
final class LeaseReader {
    private final LeaseTokens tokens;
    private final TokenBook callers;

    LeaseReader(LeaseTokens tokens, TokenBook callers) {
        this.tokens = tokens;
        this.callers = callers;
    }

    /** Empty where the text is no lease, or none that this caller may know. */
    Optional<LeaseId> read(Caller caller, String text) {
        Optional<LeaseId> own = tokens.read(text, caller.tenant());
        if (own.isPresent() || !caller.seesAll() || text.length() > MAX_CHARS) {
            return own;
        }
        for (String tenant : callers.tenants()) {
            Optional<LeaseId> theirs = tokens.read(text, tenant);
            if (theirs.isPresent()) {
                return theirs;
            }
        }
        return Optional.empty();
    }

    private static final int MAX_CHARS = 100;
}
