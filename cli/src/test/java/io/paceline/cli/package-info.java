/** Tests of the commands. */
@NullMarked
package io.paceline.cli;

import org.jspecify.annotations.NullMarked;
