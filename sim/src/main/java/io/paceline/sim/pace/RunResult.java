package io.paceline.sim.pace;

/**
 * One run, judged from the first hour on.
 *
 * @param used served requests over what the limit would have borne
 * @param refused share of all requests
 * @param settledSeconds after the change; infinite where never, NaN where nothing changed
 */
record RunResult(double used, double refused, double settledSeconds) {}
