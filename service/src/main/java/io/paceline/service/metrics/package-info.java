/** What operators see of the gatekeeper's work: Prometheus series and log lines about decisions. */
@NullMarked
package io.paceline.service.metrics;

import org.jspecify.annotations.NullMarked;
