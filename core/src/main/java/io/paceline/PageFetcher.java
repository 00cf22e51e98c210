package io.paceline;

import io.paceline.pace.TargetUrl;
import io.paceline.pace.robots.RobotsSource.Reply;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Fetches small pages for the gatekeeper itself, through an address whose lease it holds: robots.txt. Thread-safe; nothing
 * blocks.
 */
public interface PageFetcher {

    /** Whether anything can be fetched through such an address. */
    boolean supports(Endpoint via);

    /**
     * One GET of the URL through the address, its credentials sent, TLS verified, redirects not followed.
     *
     * @param via {@link Endpoint#DIRECT} for our own side
     * @param agent what the request calls itself
     * @return a stage that completes within a time-out of its own and does not fail
     */
    CompletionStage<Page> fetch(Endpoint via, TargetUrl url, String agent);

    /**
     * What came of it.
     *
     * @param outcome what it says about the address and the site
     * @param reply what the site answered; null where it did not
     * @param why in words, where it did not
     */
    record Page(Outcome outcome, @Nullable Reply reply, String why) {}
}
