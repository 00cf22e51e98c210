/** Tests of the configuration. */
@NullMarked
package io.paceline.service.config;

import org.jspecify.annotations.NullMarked;
