/** Tests of the history checker: what it lets pass, and what it catches. */
@NullMarked
package io.paceline.demo.history;

import org.jspecify.annotations.NullMarked;
