package io.paceline.service.api;

/** Whether new work is taken. Written by the service, read by every event loop. */
public final class Readiness {

    private volatile boolean ready;
    private volatile boolean draining;

    /** Everything is wired and listens. */
    public void ready() {
        ready = true;
    }

    /** From now on nothing new begins; what runs may end. */
    public void drain() {
        draining = true;
    }

    boolean isReady() {
        return ready && !draining;
    }

    boolean isDraining() {
        return draining;
    }
}
