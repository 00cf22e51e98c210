/** Proxy lists as they are found in the wild: every line format read, every bad line named without its password. */
@NullMarked
package io.paceline.service.lists;

import org.jspecify.annotations.NullMarked;
