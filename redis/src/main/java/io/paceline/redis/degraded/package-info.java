/** Going on while the shared store is away: who may serve what alone, and how what was done alone is told afterwards. */
@NullMarked
package io.paceline.redis.degraded;

import org.jspecify.annotations.NullMarked;
