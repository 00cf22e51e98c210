/** The journal, on disks that fail in every way. */
@NullMarked
package io.paceline.service.journal;

import org.jspecify.annotations.NullMarked;
