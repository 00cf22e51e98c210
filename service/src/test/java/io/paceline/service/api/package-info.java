/** Tests of the HTTP API: parsers by themselves, and the contract over real sockets. */
@NullUnmarked
package io.paceline.service.api;

import org.jspecify.annotations.NullUnmarked;
