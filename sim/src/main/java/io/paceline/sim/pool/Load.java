package io.paceline.sim.pool;

/**
 * Who asks how often: Poisson arrivals, an open loop that does not slow down when answers do.
 *
 * @param perSecond requests a second, over all targets
 * @param sessions live sessions that the requests belong to; 0 for none
 * @param batch requests that come at the same instant; 1 for single ones
 * @param lost share of requests whose worker dies: its lease is never released
 */
record Load(double perSecond, int sessions, int batch, double lost) {

    static Load open(double perSecond) {
        return new Load(perSecond, 0, 1, 0);
    }

    static Load inSessions(double perSecond, int sessions) {
        return new Load(perSecond, sessions, 1, 0);
    }
}
