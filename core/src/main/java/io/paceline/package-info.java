/** The words of Paceline's API: what a caller asks, and what it is told. */
@NullMarked
package io.paceline;

import org.jspecify.annotations.NullMarked;
