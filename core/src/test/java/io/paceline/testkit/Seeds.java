package io.paceline.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The seeds of a {@link SeededTest}, and the generator that each stands for. */
public final class Seeds implements ArgumentsProvider, AnnotationConsumer<SeededTest> {
    private int count = 1;

    @Override
    public void accept(SeededTest test) {
        count = test.seeds();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        Long only = Long.getLong("paceline.seed");
        LongStream seeds =
                only != null ? LongStream.of(only) : LongStream.rangeClosed(1, Long.getLong("paceline.seeds", count));
        return seeds.mapToObj(Arguments::of);
    }

    /** The same numbers for the same seed, on every machine and Java version. */
    public static RandomGenerator random(long seed) {
        return new SplittableRandom(seed);
    }
}
