package io.paceline.service;

import io.paceline.service.api.TokenBook;
import io.paceline.service.proxy.Authenticator;
import java.util.Optional;

/** The API's tokens, as the forward proxy asks for them. */
final class ProxyTokens implements Authenticator {

    private final TokenBook tokens;

    ProxyTokens(TokenBook tokens) {
        this.tokens = tokens;
    }

    @Override
    public boolean required() {
        return !tokens.isEmpty();
    }

    @Override
    public Optional<Identity> authenticate(String token) {
        return tokens.clientTenant(token).map(Identity::new);
    }
}
