/** Tests of metrics and decision log. */
@NullUnmarked
package io.paceline.service.metrics;

import org.jspecify.annotations.NullUnmarked;
