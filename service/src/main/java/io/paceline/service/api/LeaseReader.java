package io.paceline.service.api;

import io.paceline.LeaseId;
import io.paceline.service.config.TokenConfig.Role;
import java.util.Optional;

/**
 * Reads the leases that callers send: a caller knows those of its own tenant; operators, and viewers without a tenant, those
 * of all.
 */
final class LeaseReader {
    /** Longer than any lease: not worth a look for each tenant. */
    private static final int MAX_CHARS = 100;

    private final LeaseTokens tokens;
    private final TokenBook callers;

    LeaseReader(LeaseTokens tokens, TokenBook callers) {
        this.tokens = tokens;
        this.callers = callers;
    }

    /** Empty where the text is no lease, or none that this caller may know. */
    Optional<LeaseId> read(Caller caller, String text) {
        Optional<LeaseId> own = tokens.read(text, caller.tenant());
        if (own.isPresent() || !caller.seesAll() || caller.role() == Role.CLIENT || text.length() > MAX_CHARS) {
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
}
