/** The journal of the embedded store: what it knows, written down every second, read again at the next start. */
@NullMarked
package io.paceline.service.journal;

import org.jspecify.annotations.NullMarked;
