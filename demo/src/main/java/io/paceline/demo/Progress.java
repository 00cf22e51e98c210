package io.paceline.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** Says on a stream how far a run is: one line that is written over on a terminal, else a line now and then. */
final class Progress {
    private static final long REFRESH_NANOS = 200_000_000;
    private static final long PLAIN_NANOS = 2_000_000_000;

    private final PrintWriter out;
    private final boolean terminal;
    private boolean lineOpen;
    private long nextNanos = Long.MIN_VALUE;

    Progress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** A line of its own. */
    synchronized void say(String text) {
        endLine();
        out.println(text);
        out.flush();
    }

    /** A run goes on; shown if the last time is long enough ago. */
    synchronized void running(String mode, Tally tally, int pages, long elapsedNanos, long nowNanos) {
        if (nextNanos != Long.MIN_VALUE && nowNanos - nextNanos < 0) {
            return;
        }
        boolean first = nextNanos == Long.MIN_VALUE;
        nextNanos = nowNanos + (terminal ? REFRESH_NANOS : PLAIN_NANOS);
        if (first && !terminal) {
            return; // nothing has happened yet
        }
        String line = line(mode, tally, pages, elapsedNanos);
        if (terminal) {
            out.print("\r" + line + "\u001b[K");
            lineOpen = true;
        } else {
            out.println(line);
        }
        out.flush();
    }

    /** A run has ended: its last state stays. */
    synchronized void done(String mode, Tally tally, int pages, long elapsedNanos) {
        if (terminal) {
            out.print("\r\u001b[K");
            lineOpen = false;
        }
        out.println(line(mode, tally, pages, elapsedNanos) + ", done");
        out.flush();
        nextNanos = Long.MIN_VALUE;
    }

    /** Leaves the cursor at the start of a line. */
    synchronized void endLine() {
        if (lineOpen) {
            out.println();
            lineOpen = false;
        }
    }

    private static String line(String mode, Tally tally, int pages, long elapsedNanos) {
        return String.format(
                Locale.ROOT,
                "%-6s %,6d of %,d pages, %,6d requests, %4.1f s",
                mode,
                tally.pagesGot(),
                pages,
                tally.requests(),
                elapsedNanos / 1e9);
    }
}
