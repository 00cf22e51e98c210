package io.paceline.service.proxy;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Finds the addresses of a host name: an upstream proxy's, and with direct egress a target's. It never blocks its caller.
 */
@FunctionalInterface
public interface NameResolver {

    /**
     * All addresses of the name, best first; the stage fails with {@link java.net.UnknownHostException} where there is
     * none.
     *
     * @param host a canonical host name, never a literal
     */
    CompletionStage<List<InetAddress>> resolve(String host);
}
