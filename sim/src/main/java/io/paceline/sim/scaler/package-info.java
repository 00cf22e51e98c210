/** The autoscaler's proving ground: queues, fleets, providers and their faults in virtual time, and rival policies. */
@NullMarked
package io.paceline.sim.scaler;

import org.jspecify.annotations.NullMarked;
