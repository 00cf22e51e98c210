/** What each tenant has used, for bills and quotas, and which targets and sessions are whose. */
@NullMarked
package io.paceline.service.usage;

import org.jspecify.annotations.NullMarked;
