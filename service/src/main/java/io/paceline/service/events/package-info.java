/** The decision log: what happened and why, kept in memory for those who ask, and the reasons of recent leases. */
@NullMarked
package io.paceline.service.events;

import org.jspecify.annotations.NullMarked;
