/** What callers of several gatekeepers were told, and whether it can be true. */
@NullMarked
package io.paceline.demo.history;

import org.jspecify.annotations.NullMarked;
