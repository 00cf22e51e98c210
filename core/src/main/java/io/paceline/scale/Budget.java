package io.paceline.scale;

/**
 * Money: what an hour may cost, and what one worker costs an hour. Any currency, the same in both.
 *
 * @param perHour what any hour may cost
 * @param workerHour what one worker costs an hour, above 0
 */
public record Budget(double perHour, double workerHour) {

    public static final Budget UNLIMITED = new Budget(Double.POSITIVE_INFINITY, 1);

    /** A hair of tolerance, because 2.00 / 0.05 in binary may come out below 40. */
    private static final double HAIR = 1e-9;

    public Budget {
        if (!(perHour >= 0)) {
            throw new IllegalArgumentException("budget.per_hour " + perHour + " is not 0 or more");
        }
        if (!(workerHour > 0 && workerHour < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("budget.worker_hour " + workerHour + " is not above 0");
        }
    }

    public boolean limited() {
        return perHour < Double.POSITIVE_INFINITY;
    }

    /** How many workers may run all the time; {@link Integer#MAX_VALUE} without a limit. */
    public int affordable() {
        return (int) Math.min(Integer.MAX_VALUE, Math.floor(perHour / workerHour + HAIR));
    }
}
