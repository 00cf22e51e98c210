package io.paceline.store;

import io.paceline.pace.PaceRow;

/**
 * What became of a {@link PaceShift}.
 *
 * @param applied false where somebody else had changed the row before, or it was only read
 * @param row as it is now
 */
public record PaceShifted(boolean applied, PaceRow row, long nowMicros) {}
