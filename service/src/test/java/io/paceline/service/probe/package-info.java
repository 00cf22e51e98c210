/** Tests of active probes on real sockets. */
@NullMarked
package io.paceline.service.probe;

import org.jspecify.annotations.NullMarked;
