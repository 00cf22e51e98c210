package io.paceline.sim.pool;

/** The last starts of one limit, as many as it allows: one more inside its window breaks it. */
final class Starts {
    private final long windowMicros;
    private final long[] ring;
    private int first;
    private int size;

    Starts(int limit, long windowMicros) {
        this.ring = new long[limit];
        this.windowMicros = windowMicros;
    }

    /** Notes a start; false where it is one too many. Starts come in the order of their times, or nearly. */
    boolean add(long atMicros) {
        boolean allowed = true;
        if (size == ring.length) {
            allowed = ring[first] <= atMicros - windowMicros;
            first = (first + 1) % ring.length;
            size--;
        }
        ring[(first + size++) % ring.length] = atMicros;
        return allowed;
    }

    /** A permit that was not used is taken back: the last start at that time. */
    void remove(long atMicros) {
        for (int i = size - 1; i >= 0; i--) {
            if (ring[(first + i) % ring.length] == atMicros) {
                for (int j = i; j < size - 1; j++) {
                    ring[(first + j) % ring.length] = ring[(first + j + 1) % ring.length];
                }
                size--;
                return;
            }
        }
    }
}
