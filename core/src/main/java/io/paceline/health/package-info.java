/** Judgement of addresses: outcome windows, ejection, quarantine, slow start. Pure functions of rows, time and chance. */
@NullMarked
package io.paceline.health;

import org.jspecify.annotations.NullMarked;
