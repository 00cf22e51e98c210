/** The store's port on Redis: several gatekeepers act as one, by short scripts that each are one atomic step. */
@NullMarked
package io.paceline.redis;

import org.jspecify.annotations.NullMarked;
