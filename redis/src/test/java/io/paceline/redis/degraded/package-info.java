/** Going on alone, in virtual time and on a real Redis that goes away. */
@NullMarked
package io.paceline.redis.degraded;

import org.jspecify.annotations.NullMarked;
