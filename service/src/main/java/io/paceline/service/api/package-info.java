/** The HTTP API on Vert.x: parse, authenticate, ask the gatekeeper, write the answer. */
@NullMarked
package io.paceline.service.api;

import org.jspecify.annotations.NullMarked;
