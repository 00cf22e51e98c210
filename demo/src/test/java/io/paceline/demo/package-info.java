/** Tests of the demo. */
@NullMarked
package io.paceline.demo;

import org.jspecify.annotations.NullMarked;
