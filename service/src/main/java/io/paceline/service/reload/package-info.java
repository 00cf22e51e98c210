/** Reading the configuration again while the service runs: when, what comes of it, and who is told. */
@NullMarked
package io.paceline.service.reload;

import org.jspecify.annotations.NullMarked;
