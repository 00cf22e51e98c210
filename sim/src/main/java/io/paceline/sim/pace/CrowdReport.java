package io.paceline.sim.pace;

/**
 * How a crowd before one target was served.
 *
 * @param way {@code wait}: calls are held until their turn; {@code hints}: refused callers come back when they were told to
 * @param callers who each want one permit, all at the same moment
 * @param permits that were granted
 * @param callsAPermit what it took
 * @param seconds until the last one was served; a hundred where nothing is lost
 */
public record CrowdReport(String way, int callers, long permits, double callsAPermit, double seconds) {}
