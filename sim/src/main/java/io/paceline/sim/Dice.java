package io.paceline.sim;

/**
 * Chance from one seed, in named streams that do not disturb each other.
 *
 * <p>A stream can be read in order, or asked for the draw of a given number: the third attempt of task 17 fails or not
 * whatever else happened before, so that all policies meet the same luck. Only additions, shifts and
 * {@link StrictMath}: the same on every Java.
 */
public final class Dice {

    /** Weyl constant and finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
    private static final long WEYL = 0x9E3779B97F4A7C15L;

    private final long seed;
    private long drawn;

    private Dice(long seed) {
        this.seed = seed;
    }

    public static Dice of(long seed) {
        return new Dice(mix(seed + WEYL));
    }

    /** A stream of its own for that name. */
    public Dice stream(String name) {
        long hash = seed;
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash + WEYL + name.charAt(i));
        }
        return new Dice(hash);
    }

    /** The next number of this stream, 0 (included) to 1 (excluded). */
    public double next() {
        return unit(mix(seed + WEYL * ++drawn));
    }

    /** The number at a place that does not depend on what was drawn before. */
    public double at(long i, long j) {
        return unit(mix(mix(seed ^ mix(i + WEYL)) + WEYL * (j + 1)));
    }

    /** The next draw of an exponential distribution with that mean. */
    public double exponential(double mean) {
        return -mean * StrictMath.log(1 - next());
    }

    /** The next draw of a log-normal distribution with that mean; {@code sigma} is that of the logarithm. */
    public double logNormal(double mean, double sigma) {
        double mu = StrictMath.log(mean) - sigma * sigma / 2;
        return StrictMath.exp(mu + sigma * gaussian());
    }

    /** Box and Muller's method; the second number of each pair is dropped to keep streams simple. */
    private double gaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - next()));
        return radius * StrictMath.cos(2 * StrictMath.PI * next());
    }

    private static double unit(long bits) {
        return (bits >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
