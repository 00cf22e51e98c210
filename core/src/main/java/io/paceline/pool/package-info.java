/** The pool as one instance sees it: settings, membership, selection strategies, affinity. */
@NullMarked
package io.paceline.pool;

import org.jspecify.annotations.NullMarked;
