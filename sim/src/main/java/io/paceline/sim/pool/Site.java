package io.paceline.sim.pool;

import org.jspecify.annotations.Nullable;

/**
 * A target as the world has it.
 *
 * @param name its registrable domain
 * @param meanLatencySeconds of a good answer through a healthy address
 * @param ban what it does to addresses that come too often, or null
 */
record Site(
        String name, double meanLatencySeconds, @Nullable Ban ban) {

    /**
     * A ban of addresses that come too often.
     *
     * @param requests more than so many in the window
     * @param windowMicros are answered by a ban
     * @param liftMicros of this length
     */
    record Ban(int requests, long windowMicros, long liftMicros) {}

    String url() {
        return "https://" + name + "/";
    }
}
