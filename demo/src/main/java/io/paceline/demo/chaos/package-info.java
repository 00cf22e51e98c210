/** Several real gatekeepers over a real Redis, callers who write down what they are told, and faults that befall both. */
@NullMarked
package io.paceline.demo.chaos;

import org.jspecify.annotations.NullMarked;
