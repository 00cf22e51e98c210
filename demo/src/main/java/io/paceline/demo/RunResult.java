package io.paceline.demo;

/**
 * The figures of one run.
 *
 * @param mode {@code naive}, {@code api} or {@code proxy}
 * @param requests that were sent by an upstream proxy, retries included
 * @param pagesWanted pages that the crawl began
 * @param pagesGot those of them that it got
 * @param captchas captchas that the sites answered with
 * @param tooManyRequests 429s that the sites answered with
 * @param sessionRotations changes of address within a session that the sites saw
 * @param sessionsRenewed sessions that the crawler began anew under another name
 * @param seconds how long the crawl took
 * @param cutShort whether the time was over before every page had been begun
 */
record RunResult(
        String mode,
        long requests,
        long pagesWanted,
        long pagesGot,
        long captchas,
        long tooManyRequests,
        long sessionRotations,
        long sessionsRenewed,
        double seconds,
        boolean cutShort) {

    /** Pages got of pages wanted, 0 to 1. */
    double successRate() {
        return pagesWanted == 0 ? 0 : (double) pagesGot / pagesWanted;
    }

    /** Requests that brought no page, of all requests, 0 to 1. */
    double wastedRate() {
        return requests == 0 ? 0 : (double) (requests - pagesGot) / requests;
    }
}
