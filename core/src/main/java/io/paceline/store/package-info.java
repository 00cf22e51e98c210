/** The port through which all shared state is decided, and its embedded implementation. */
@NullMarked
package io.paceline.store;

import org.jspecify.annotations.NullMarked;
