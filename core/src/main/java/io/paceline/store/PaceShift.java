package io.paceline.store;

import io.paceline.pace.PaceRow;

/**
 * A change of a target's pace, or of a cell's, by compare-and-set on the epoch.
 *
 * @param subject whose pace
 * @param expectedEpoch of the row from which the decision was taken; {@link #READ} changes nothing and tells the row
 * @param to the new row
 */
public record PaceShift(Subject subject, int expectedEpoch, PaceRow to) {
    /** An epoch that no row has. */
    public static final int READ = -1;

    /**
     * Whose pace.
     *
     * @param key the hash of the target's pace charge; 0 for a cell
     * @param chain of a cell; 0 for a target
     * @param slot of a cell; -1 for a target
     * @param target of a cell; 0 for a target
     */
    public record Subject(long key, int chain, int slot, long target) {
        public static Subject ofTarget(long key) {
            return new Subject(key, 0, -1, 0);
        }

        public static Subject ofCell(int chain, int slot, long target) {
            return new Subject(0, chain, slot, target);
        }

        public boolean isCell() {
            return slot >= 0;
        }
    }

    /** What is known of the subject now. */
    public static PaceShift read(Subject subject) {
        return new PaceShift(subject, READ, PaceRow.FRESH);
    }
}
