/** Targets with hidden, changing limits, and the paces that are to find them out. */
@NullMarked
package io.paceline.sim.pace;

import org.jspecify.annotations.NullMarked;
