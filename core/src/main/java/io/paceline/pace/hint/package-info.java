/** What a site asks of our pace in the fields of its answers: pure reading, no clock. */
@NullMarked
package io.paceline.pace.hint;

import org.jspecify.annotations.NullMarked;
