/** Tests of reading the configuration again. */
@NullMarked
package io.paceline.service.reload;

import org.jspecify.annotations.NullMarked;
