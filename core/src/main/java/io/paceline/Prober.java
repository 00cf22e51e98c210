package io.paceline;

import io.paceline.health.ControlAnswer;
import java.util.concurrent.CompletionStage;

/**
 * Asks control URLs: the hands of active probes, which a server has on sockets and the simulator in its own world.
 * Thread-safe; nothing blocks.
 */
public interface Prober {

    /** Whether anything can be asked through such an address; others are tested by live traffic alone. */
    boolean supports(Endpoint via);

    /**
     * One GET of the URL through the address, its credentials sent, TLS verified.
     *
     * @param via {@link Endpoint#DIRECT} for our own side
     * @return a stage that completes within a time-out of its own (5 s directly, 10 s through a proxy) and does not fail
     */
    CompletionStage<ControlAnswer> ask(Endpoint via, String url);
}
