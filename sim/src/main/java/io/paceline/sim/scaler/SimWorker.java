package io.paceline.sim.scaler;

import java.util.ArrayList;
import java.util.List;

/** One simulated worker: starting, ready, draining, then gone. */
final class SimWorker {

    /** Where it stands in its life. */
    enum State {
        STARTING,
        READY,
        DRAINING,
        GONE
    }

    final int number;
    final long askedMicros;
    final List<Attempt> attempts = new ArrayList<>();
    State state = State.STARTING;
    int drains;

    SimWorker(int number, long askedMicros) {
        this.number = number;
        this.askedMicros = askedMicros;
    }

    String id() {
        return "w" + number;
    }
}
