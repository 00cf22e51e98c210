/** Benchmarks, each beside the rival that its target names; nothing here is part of the product. */
@NullMarked
package io.paceline.bench;

import org.jspecify.annotations.NullMarked;
