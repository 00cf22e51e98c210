/** Tests of what chaos is made with. */
@NullMarked
package io.paceline.demo.chaos;

import org.jspecify.annotations.NullMarked;
