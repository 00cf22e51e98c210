package io.paceline.demo;

import java.io.IOException;

/** A way to get pages. Thread-safe: all workers of a run share it. */
interface Way {

    /**
     * Tries once.
     *
     * @param attempt 0 for the first try at this page
     * @param session empty for a page by itself
     */
    Answer fetch(Page page, int attempt, String session) throws InterruptedException;

    /** Requests that were sent beyond those that {@link #fetch} answered: what a proxy tried again by itself. */
    default long hiddenRequests() throws IOException {
        return 0;
    }
}
