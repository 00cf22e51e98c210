/** Tests of lists that are fetched and of providers that are asked. */
@NullMarked
package io.paceline.service.supply;

import org.jspecify.annotations.NullMarked;
