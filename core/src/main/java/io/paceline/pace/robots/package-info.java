/** The Robots Exclusion Protocol (RFC 9309): what a site's robots.txt lets one crawler do. Pure reading, no clock. */
@NullMarked
package io.paceline.pace.robots;

import org.jspecify.annotations.NullMarked;
