package io.paceline.scale;

/**
 * One measured figure with how good and how old it is; that nothing could be read is another type than zero.
 *
 * <p>A monitor that fails answers {@link Unknown}, one that counted only so far answers {@link AtLeast}. A queue whose
 * key was never written is {@link Known} and zero. Immutable and thread-safe.
 *
 * @param <T> what was measured
 */
public sealed interface Figure<T> {

    /** Measured in full at that time. */
    record Known<T>(T value, long atMicros) implements Figure<T> {}

    /** Counted only so far: the truth is this or more. Good enough to grow, never to shrink. */
    record AtLeast<T>(T value, long atMicros) implements Figure<T> {}

    /** Not read; {@code why} is one sentence for people. */
    record Unknown<T>(String why) implements Figure<T> {}

    static <T> Figure<T> known(T value, long atMicros) {
        return new Known<>(value, atMicros);
    }

    static <T> Figure<T> atLeast(T value, long atMicros) {
        return new AtLeast<>(value, atMicros);
    }

    static <T> Figure<T> unknown(String why) {
        return new Unknown<>(why);
    }

    /** How far a decision may trust this figure at {@code nowMicros}; older than {@code maxAgeMicros} is stale. */
    default Quality quality(long nowMicros, long maxAgeMicros) {
        if (this instanceof Known<T> k) {
            return nowMicros - k.atMicros <= maxAgeMicros ? Quality.GOOD : Quality.STALE;
        }
        if (this instanceof AtLeast<T> a) {
            return nowMicros - a.atMicros <= maxAgeMicros ? Quality.PARTIAL : Quality.STALE;
        }
        return Quality.UNKNOWN;
    }

    /** The value, or {@code otherwise} where there is none. For figures whose absence has a meaning of its own. */
    default T orElse(T otherwise) {
        if (this instanceof Known<T> k) {
            return k.value;
        }
        return this instanceof AtLeast<T> a ? a.value : otherwise;
    }

    /** When it was measured; {@link Long#MIN_VALUE} where it was not. */
    default long measuredAtMicros() {
        if (this instanceof Known<T> k) {
            return k.atMicros;
        }
        return this instanceof AtLeast<T> a ? a.atMicros : Long.MIN_VALUE;
    }
}
