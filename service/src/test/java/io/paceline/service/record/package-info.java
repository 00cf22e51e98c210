/** Tests of the record. */
@NullUnmarked
package io.paceline.service.record;

import org.jspecify.annotations.NullUnmarked;
