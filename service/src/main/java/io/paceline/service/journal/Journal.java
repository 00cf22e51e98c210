package io.paceline.service.journal;

import io.paceline.Ticker;
import io.paceline.service.journal.JournalSettings.Fsync;
import io.paceline.service.journal.Segments.Segment;
import io.paceline.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an embedded store knows on disk, so that a process that ends, however it ends, forgets at most what happened since
 * the last flush.
 *
 * <pre>
 *   open ----&gt; store(ticker): what was known, or an empty one ----&gt; start(store) ----&gt; a flush every second ----&gt; close
 *   (lock, read)                                                                   what has changed -&gt; the segment
 *                                                          where that has grown: all there is -&gt; a new segment,
 *                                                                                then those before the last one go
 * </pre>
 *
 * <p>No request ever waits for the disk. What cannot be written is kept and tried again at the next flush; meanwhile the store goes on
 * noting what changes, and {@link #trouble} says since when nothing was kept.
 *
 * <p>Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    /** A segment is closed when it has grown to so many times its first increment ... */
    private static final int GROWTH = 3;

    /** ... but not before it has so many octets. */
    private static final long LEAST_ROLL = 8L << 20;

    /** While it fails, it says so no more often than this. */
    private static final long REMIND_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final JournalSettings settings;
    private final Segments segments;
    private final Disk disk;
    private final long leastRoll;
    private @Nullable Recovery recovery;
    private final long lastMicros;
    private final Object waiting = new Object();

    private @Nullable MemoryStore store;
    private Disk.@Nullable Sink sink;
    private @Nullable Increment pending;
    private long number;
    private long keepFrom;
    private long base;
    /** Of the segment: octets of whole increments. */
    private long written;

    private boolean begun;
    private boolean startAnew = true;
    private boolean unforced;
    private long forcedNanos;
    private long remindedNanos;
    private @Nullable Thread thread;
    private volatile boolean closing;
    private volatile @Nullable String trouble;
    private volatile long onDisk;
    private volatile long flushedNanos = System.nanoTime();
    private final AtomicLong errors = new AtomicLong();
    private volatile FlushListener listener = (nanos, octets) -> {};

    /** Is told of each flush that has written something. */
    @FunctionalInterface
    public interface FlushListener {
        void flushed(long nanos, long octets);
    }

    private Journal(JournalSettings settings, Segments segments, Disk disk, long leastRoll, Recovery recovery) {
        this.settings = settings;
        this.segments = segments;
        this.disk = disk;
        this.leastRoll = leastRoll;
        this.recovery = recovery;
        this.lastMicros = recovery.lastMicros();
        this.number = recovery.next() - 1;
        this.keepFrom = recovery.from();
    }

    /**
     * Reads what is in the data folder and keeps other processes out of it.
     *
     * @throws JournalException with one sentence for a person: another process has the folder, a newer version wrote it, or it
     *     cannot be written
     */
    public static Journal open(Path data, JournalSettings settings) throws JournalException {
        return open(data, settings, Disk.real(), LEAST_ROLL);
    }

    static Journal open(Path data, JournalSettings settings, Disk disk, long leastRoll) throws JournalException {
        Segments segments = Segments.open(data);
        try {
            long begin = System.nanoTime();
            Recovery recovery = Recovery.of(segments);
            if (!recovery.image().isEmpty()) {
                LOG.info(
                        "the journal in {} knows {} addresses, {} sessions, {} leases; read in {} ms",
                        data,
                        recovery.image().addresses(),
                        recovery.image().sessions(),
                        recovery.image().leases(),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            }
            return new Journal(settings, segments, disk, leastRoll, recovery);
        } catch (JournalException e) {
            segments.close();
            throw e;
        } catch (IOException e) {
            segments.close();
            throw new JournalException("the journal in " + data + " cannot be read: check its permissions", e);
        }
    }

    /** The instant of what was read, in microseconds; 0 where nothing was. Time must not begin before it. */
    public long lastMicros() {
        return lastMicros;
    }

    /** A store that goes on from what was read. Called once. */
    public MemoryStore store(Ticker ticker) {
        Recovery read = recovery;
        recovery = null; // it is as large as the store
        return read == null || read.image().isEmpty()
                ? new MemoryStore(ticker)
                : MemoryStore.restore(ticker, read.image().snapshot(read.lastMicros()));
    }

    /** Begins to keep what this store knows. */
    public void start(MemoryStore kept) {
        begin(kept);
        Thread writer = new Thread(this::run, "paceline-journal");
        writer.setDaemon(true);
        thread = writer;
        writer.start();
    }

    /** As {@link #start}, but whoever calls flushes himself. */
    synchronized void begin(MemoryStore kept) {
        store = kept;
    }

    public void listen(FlushListener flushes) {
        listener = flushes;
    }

    // ---- how it goes

    /** What is wrong, as one sentence; empty while all is well. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Octets of all segments. */
    public long octets() {
        return onDisk;
    }

    /** Flushes that failed. */
    public long errors() {
        return errors.get();
    }

    /** How long ago all that was known then was written, in seconds: what a kill would lose now. */
    public double ageSeconds() {
        return (System.nanoTime() - flushedNanos) / 1e9;
    }

    // ---- writing

    private void run() {
        long flushNanos = settings.flush().toNanos();
        long next = System.nanoTime();
        while (!closing) {
            flush();
            next = Math.max(next + flushNanos, System.nanoTime());
            sleepUntil(next);
        }
    }

    private void sleepUntil(long nanos) {
        synchronized (waiting) {
            try {
                for (long left = nanos - System.nanoTime(); left > 0 && !closing; left = nanos - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(waiting, Math.max(left, 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes what has changed since the last time; false where that failed and is tried again the next time. */
    synchronized boolean flush() {
        MemoryStore kept = store;
        if (kept == null) {
            return true;
        }
        long begin = System.nanoTime();
        try {
            Increment increment = pending;
            if (increment == null) {
                increment = Increment.take(kept, startAnew || written > Math.max(leastRoll, GROWTH * base));
            }
            pending = increment;
            write(increment);
            pending = null;
            well(begin, increment);
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        } catch (RuntimeException | OutOfMemoryError e) {
            // The store's own state is sound, but this increment is lost: the next one begins anew with everything.
            startAnew = true;
            pending = null;
            failed(new IOException("a fault in the journal: " + e, e));
            LOG.debug("the fault", e);
            Increment.abandon(kept);
            return false;
        }
    }

    private void write(Increment increment) throws IOException {
        if (increment.whole()) {
            writeSegment(increment);
            return;
        }
        Disk.Sink to = sink;
        if (to == null) {
            throw new IOException("there is no segment");
        }
        if (!increment.isEmpty()) {
            if (begun) {
                to.cut(written); // what a failed write has left
            }
            begun = true;
            for (byte[] frame : increment.frames()) {
                to.append(frame);
            }
            written += increment.octets();
            begun = false;
            unforced = true;
        }
        forceAsWanted(to);
    }

    /** After a failed force nobody knows what is on the disk: all of it is written once more. */
    private void forceAsWanted(Disk.Sink to) throws IOException {
        boolean due = settings.fsync() == Fsync.ALWAYS
                || (settings.fsync() == Fsync.INTERVAL
                        && System.nanoTime() - forcedNanos >= JournalSettings.FSYNC_INTERVAL.toNanos());
        if (unforced && due) {
            try {
                to.force();
            } catch (IOException e) {
                startAnew = true;
                pending = null;
                throw e;
            }
            unforced = false;
            forcedNanos = System.nanoTime();
        }
    }

    /** The segments before the last one go only when the new one is complete, and on disk. */
    private void writeSegment(Increment whole) throws IOException {
        closeSink();
        long next = number + 1;
        Disk.Sink to = disk.create(segments.file(next));
        try {
            to.append(Frame.header(next));
            for (byte[] frame : whole.frames()) {
                to.append(frame);
            }
            if (settings.fsync() != Fsync.NEVER) {
                to.force();
                segments.force();
            }
        } catch (IOException e) {
            to.close();
            throw e;
        }
        sink = to;
        number = next;
        base = Frame.HEADER + whole.octets();
        written = base;
        begun = false;
        startAnew = false;
        unforced = false;
        forcedNanos = System.nanoTime();
        forgetOld();
    }

    private void forgetOld() {
        try {
            for (Segment segment : segments.list()) {
                if (segment.number() < keepFrom) {
                    disk.delete(segment.file());
                }
            }
        } catch (IOException e) {
            LOG.warn("an old segment of the journal could not be deleted: {}", e.toString());
        }
        keepFrom = number;
    }

    private void closeSink() {
        try {
            if (sink != null) {
                sink.close();
            }
        } catch (IOException e) {
            LOG.debug("a segment could not be closed", e);
        }
        sink = null;
        startAnew = true;
    }

    // ---- how it went

    private void well(long beginNanos, Increment increment) {
        if (trouble != null) {
            LOG.info("the journal is written again: nothing is missing");
            trouble = null;
        }
        flushedNanos = System.nanoTime();
        if (!increment.isEmpty()) {
            measure();
            listener.flushed(System.nanoTime() - beginNanos, increment.octets());
        }
    }

    private void measure() {
        long sum = 0;
        try {
            for (Segment segment : segments.list()) {
                sum += Files.size(segment.file());
            }
            onDisk = sum;
        } catch (IOException e) {
            LOG.debug("the journal's size cannot be told", e);
        }
    }

    private void failed(IOException e) {
        errors.incrementAndGet();
        long now = System.nanoTime();
        if (trouble == null || now - remindedNanos > REMIND_NANOS) {
            remindedNanos = now;
            LOG.error(
                    "the journal cannot be written, {} s of what is decided would be lost by a kill: {}; permits go on, it is"
                            + " tried again at every flush",
                    Math.round(ageSeconds()),
                    e.toString());
        }
        trouble = "cannot be written: " + e.getMessage();
    }

    // ---- the end

    /** Writes what there is, brings it to the disk, and lets others have the folder. */
    @Override
    public void close() {
        closing = true;
        synchronized (waiting) {
            waiting.notifyAll();
        }
        Thread writer = thread;
        if (writer != null) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (this) {
            boolean last = flush() && forceLast();
            if (!last) {
                LOG.error("the journal ends {} s before the end of this process", Math.round(ageSeconds()));
            }
            closeSink();
            store = null;
            segments.close();
        }
    }

    /** Ends as a kill ends it: nothing more is written. */
    synchronized void abandon() {
        closing = true;
        closeSink();
        store = null;
        segments.close();
    }

    private boolean forceLast() {
        try {
            if (sink != null && unforced && settings.fsync() != Fsync.NEVER) {
                sink.force();
            }
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }
}
