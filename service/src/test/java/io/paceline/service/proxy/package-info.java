/** Tests of the forward proxy. */
@NullMarked
package io.paceline.service.proxy;

import org.jspecify.annotations.NullMarked;
