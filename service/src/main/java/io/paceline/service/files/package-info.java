/** Files that nobody but their owner may read. */
@NullMarked
package io.paceline.service.files;

import org.jspecify.annotations.NullMarked;
