package io.paceline.scale;

/**
 * What a person has ordered for now, above any policy and below the hard brakes.
 *
 * @param upPaused never grow
 * @param downPaused never shrink
 * @param frozenAt hold exactly so many workers; {@link #NOT_FROZEN} otherwise
 */
public record Orders(boolean upPaused, boolean downPaused, int frozenAt) {

    public static final int NOT_FROZEN = -1;

    public static final Orders NONE = new Orders(false, false, NOT_FROZEN);

    public Orders {
        if (frozenAt < NOT_FROZEN) {
            throw new IllegalArgumentException("freeze at " + frozenAt + " workers is below 0");
        }
    }

    public static Orders freezeAt(int workers) {
        return new Orders(false, false, workers);
    }

    boolean frozen() {
        return frozenAt != NOT_FROZEN;
    }
}
