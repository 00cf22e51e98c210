/** The contract suite of the state store, and stores that misbehave. */
@NullMarked
package io.paceline.store;

import org.jspecify.annotations.NullMarked;
