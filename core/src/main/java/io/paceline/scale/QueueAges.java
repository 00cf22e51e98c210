package io.paceline.scale;

/**
 * How long the tasks at 0, 25, 50, 75 and 100 % of the queue have waited, head first, in seconds.
 *
 * <p>Measured by the queue's own clock. Five points are enough to see a wave behind an old head.
 */
public record QueueAges(double head, double quarter, double half, double threeQuarters, double tail) {

    public static final QueueAges NONE = new QueueAges(0, 0, 0, 0, 0);

    /** Where only the oldest age is known: as if arrivals had been even. */
    public static QueueAges even(double oldestSeconds) {
        return new QueueAges(oldestSeconds, oldestSeconds * 0.75, oldestSeconds * 0.5, oldestSeconds * 0.25, 0);
    }

    /** The age at quarter {@code i}, 0 (head) to 4 (tail), never below zero: clocks may disagree. */
    double at(int i) {
        double age = switch (i) {
            case 0 -> head;
            case 1 -> quarter;
            case 2 -> half;
            case 3 -> threeQuarters;
            case 4 -> tail;
            default -> throw new IllegalArgumentException("quarter " + i + " is not 0 to 4");
        };
        return Math.max(0, age);
    }
}
