/** The record of a run: written by {@code serve --record}, read by {@code replay}; the format is in docs/record.md. */
@NullMarked
package io.paceline.service.record;

import org.jspecify.annotations.NullMarked;
