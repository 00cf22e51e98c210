package io.paceline.demo;

/** A way to get pages. Thread-safe: all workers of a run share it. */
interface Way extends AutoCloseable {

    /**
     * Tries once.
     *
     * @param attempt 0 for the first try at this page
     * @param session empty for a page by itself
     */
    Answer fetch(Page page, int attempt, String session) throws InterruptedException;

    /** Requests that were sent beyond those that {@link #fetch} answered: what a proxy tried again by itself. */
    default long hiddenRequests() {
        return 0;
    }

    @Override
    default void close() {}
}
