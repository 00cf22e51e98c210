/** How many workers should run: measured figures in, a wanted count with its reason out, brakes last. Pure functions. */
@NullMarked
package io.paceline.scale;

import org.jspecify.annotations.NullMarked;
