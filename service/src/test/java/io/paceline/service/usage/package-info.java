/** Tests of what is counted of tenants. */
@NullMarked
package io.paceline.service.usage;

import org.jspecify.annotations.NullMarked;
