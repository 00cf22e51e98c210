/** The store on a real Redis, in virtual time where its time matters. */
@NullMarked
package io.paceline.redis;

import org.jspecify.annotations.NullMarked;
