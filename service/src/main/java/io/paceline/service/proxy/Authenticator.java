package io.paceline.service.proxy;

import java.util.Optional;

/**
 * Says who a client is by the password of its {@code Proxy-Authorization}, which is a token of the configuration.
 *
 * <p>Called on event loops: it must answer at once, compare in constant time, and never log the token. The user name is
 * free and takes no part: it carries the client id and the options.
 */
public interface Authenticator {

    /** No tokens are configured: everyone is accepted, with or without credentials. */
    Authenticator OPEN = new Authenticator() {
        @Override
        public boolean required() {
            return false;
        }

        @Override
        public Optional<Identity> authenticate(String token) {
            return Optional.of(Identity.ANYONE);
        }
    };

    /** True where a client without credentials is answered 407. */
    boolean required();

    /** Whose token this is; empty where it is nobody's, or its role may not send requests. */
    Optional<Identity> authenticate(String token);

    /**
     * Who asks.
     *
     * @param tenant the token's tenant; empty for the only one
     */
    record Identity(String tenant) {
        public static final Identity ANYONE = new Identity("");
    }
}
