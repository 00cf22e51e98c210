/** Tests of advice from generated records. */
@NullMarked
package io.paceline.service.advice;

import org.jspecify.annotations.NullMarked;
