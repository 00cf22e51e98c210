/** The pool's exam: addresses, sites and our own uplink that go wrong in virtual time, and the policies that cope. */
@NullMarked
package io.paceline.sim.pool;

import org.jspecify.annotations.NullMarked;
