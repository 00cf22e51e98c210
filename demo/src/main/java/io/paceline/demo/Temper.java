package io.paceline.demo;

/** How an upstream proxy behaves. */
enum Temper {
    /** Forwards at once. */
    GOOD,
    /** Its port refuses connections. */
    DEAD,
    /** Forwards, but takes its time. */
    SLOW,
    /** Closes half of the connections instead of answering. */
    FLAKY,
    /** Accepts connections and never answers. */
    HANGING
}
