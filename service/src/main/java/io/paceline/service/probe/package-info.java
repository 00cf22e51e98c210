/** Active probes on real sockets: control URLs asked through addresses, and directly. */
@NullMarked
package io.paceline.service.probe;

import org.jspecify.annotations.NullMarked;
