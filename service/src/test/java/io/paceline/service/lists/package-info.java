/** Tests of the proxy lists. */
@NullMarked
package io.paceline.service.lists;

import org.jspecify.annotations.NullMarked;
