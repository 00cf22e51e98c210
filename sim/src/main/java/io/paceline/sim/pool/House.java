package io.paceline.sim.pool;

import io.paceline.sim.Dice;
import io.paceline.sim.EventQueue;

/**
 * What a policy is given: time, chance, the list of addresses, and a place to report whom it puts out.
 *
 * @param events virtual time
 * @param dice chance of its own
 * @param layout addresses and sites; not who is healthy
 * @param setup how Paceline is run
 * @param verdicts where a policy reports whom it holds to be sick
 */
record House(EventQueue events, Dice dice, Layout layout, Setup setup, Verdicts verdicts) {

    long now() {
        return events.nowMicros();
    }

    /** A whole number below the bound. */
    int draw(int bound) {
        return (int) (dice.next() * bound);
    }
}
