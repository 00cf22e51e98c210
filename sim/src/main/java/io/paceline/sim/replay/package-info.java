/** Replay: recorded arrivals through another configuration, in virtual time, with the production gatekeeper. */
@NullMarked
package io.paceline.sim.replay;

import org.jspecify.annotations.NullMarked;
