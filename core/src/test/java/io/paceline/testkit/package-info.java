/** Tools of the tests: what makes a random history repeatable. */
@NullMarked
package io.paceline.testkit;

import org.jspecify.annotations.NullMarked;
