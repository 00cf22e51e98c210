/** Virtual time, one event queue and one seed: what every simulation here is built from. */
@NullMarked
package io.paceline.sim;

import org.jspecify.annotations.NullMarked;
