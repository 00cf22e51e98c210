/** Pace: which rules hold for a request, and when the next one may start. Pure arithmetic, no clock. */
@NullMarked
package io.paceline.pace;

import org.jspecify.annotations.NullMarked;
