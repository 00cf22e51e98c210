/** Tests of the wired service. */
@NullUnmarked
package io.paceline.service;

import org.jspecify.annotations.NullUnmarked;
