/** Tests of the decision log. */
@NullUnmarked
package io.paceline.service.events;

import org.jspecify.annotations.NullUnmarked;
