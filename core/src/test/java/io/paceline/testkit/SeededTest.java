package io.paceline.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A test of a property over random histories: it takes a {@code long seed} and is run once for each seed from 1 on.
 *
 * <p>The seed stands in the display name of a run, so a failure says which history to look at again:
 * {@code -Dpaceline.seed=17} runs that one alone, {@code -Dpaceline.seeds=100000} runs so many.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "seed {0}")
@ArgumentsSource(Seeds.class)
public @interface SeededTest {
    /** How many seeds the build runs. */
    int seeds() default 100;
}
