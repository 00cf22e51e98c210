/** The commands of {@code ./paceline}. */
@NullMarked
package io.paceline.cli;

import org.jspecify.annotations.NullMarked;
