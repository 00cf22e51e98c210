package io.paceline.service.api;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All tokens, for those that know a caller by the token alone. Compares hashes, every one, in constant time. Thread-safe. */
public final class TokenBook {

    /** Longer than any token that a person would make. */
    private static final int MAX_TOKEN_CHARS = 1_024;

    private volatile List<ApiToken> tokens;

    public TokenBook(List<ApiToken> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    /** Knows these and no others from the next request on. */
    public void replace(List<ApiToken> others) {
        tokens = List.copyOf(others);
    }

    /** True where everyone is operator, because the server listens on loopback alone. */
    public boolean isEmpty() {
        return tokens.isEmpty();
    }

    /** The tenants that tokens name, each once. */
    Set<String> tenants() {
        Set<String> tenants = new LinkedHashSet<>();
        tokens.stream().map(ApiToken::tenant).filter(name -> !name.isEmpty()).forEach(tenants::add);
        return tenants;
    }

    /** The tenant of a token that may send requests; empty where it is nobody's, or its role may not. */
    public Optional<String> clientTenant(String presented) {
        return find(presented)
                .filter(caller -> Access.PERMIT.allows(caller.role()))
                .map(Caller::tenant);
    }

    /** Whose token it is; empty where it is nobody's. */
    Optional<Caller> find(String presented) {
        if (presented.length() > MAX_TOKEN_CHARS) {
            return Optional.empty();
        }
        byte[] hash = ApiToken.hash(presented);
        ApiToken found = null;
        for (ApiToken token : tokens) {
            found = token.hasHash(hash) ? token : found;
        }
        return Optional.ofNullable(found).map(token -> new Caller(token.name(), token.tenant(), token.role()));
    }
}
