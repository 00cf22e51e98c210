/** What a recorded run suggests about rules, pools and addresses, as sentences with figures. */
@NullMarked
package io.paceline.service.advice;

import org.jspecify.annotations.NullMarked;
