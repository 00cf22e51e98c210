package io.paceline.service.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.paceline.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines to a {@link RecordFile} from a thread of its own, by way of a bounded queue: whoever offers a line never
 * waits. What the disk is too slow for is dropped and counted, and the record says where. Thread-safe.
 */
public final class RecordWriter implements AutoCloseable {

    /** Lines that may wait for the disk: a second or two of a busy gatekeeper. */
    static final int QUEUE = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);
    private static final JsonFactory JSON = new JsonFactory();
    private static final long CLOSE_SECONDS = 10;
    private static final long LOOK_MILLIS = 200;

    /** Writes the fields of one line; called by the writer's thread. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private final BlockingQueue<Fields> queue;
    private final RecordFile file;
    private final Ticker ticker;
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean broken;
    private long droppedTold;

    /**
     * Opens the file and starts to write.
     *
     * @param maxOctets the most that the record may take on disk
     * @throws IOException with one sentence for a person
     */
    public static RecordWriter open(Path path, long maxOctets, Ticker ticker) throws IOException {
        RecordWriter writer = new RecordWriter(RecordFile.open(path, maxOctets, ticker), ticker, QUEUE);
        writer.thread.start();
        return writer;
    }

    /** Does not start: what is offered stays in the queue until {@link #close}. */
    RecordWriter(RecordFile file, Ticker ticker, int queueLength) {
        this.file = file;
        this.ticker = ticker;
        this.queue = new ArrayBlockingQueue<>(queueLength);
        this.thread = new Thread(this::run, "paceline-record");
        this.thread.setDaemon(true);
    }

    /** Takes a line; never waits. */
    void offer(Fields fields) {
        if (closing || broken || !queue.offer(fields)) {
            dropped.increment();
        }
    }

    /** Lines that could not be kept. */
    public long dropped() {
        return dropped.sum();
    }

    private void run() {
        try {
            while (!closing || !queue.isEmpty()) {
                Fields next = queue.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    write(next);
                }
                if (queue.isEmpty()) {
                    tellDropped();
                    file.flush();
                }
            }
        } catch (IOException e) {
            broken = true;
            dropped.add(1L + queue.size());
            queue.clear();
            LOG.error("the record {} cannot be written any more: {}", file, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Fields fields) throws IOException {
        tellDropped();
        file.append(line(fields));
    }

    private void tellDropped() throws IOException {
        long all = dropped.sum();
        if (all > droppedTold) {
            long lines = all - droppedTold;
            droppedTold = all;
            long now = ticker.micros();
            file.append(line(json -> {
                json.writeNumberField("t", now);
                json.writeStringField("e", "dropped");
                json.writeNumberField("lines", lines);
            }));
        }
    }

    /** One JSON object and its end of line. */
    static byte[] line(Fields fields) throws IOException {
        try (ByteArrayBuilder octets = new ByteArrayBuilder(256)) {
            try (JsonGenerator json = JSON.createGenerator(octets)) {
                json.writeStartObject();
                fields.write(json);
                json.writeEndObject();
            }
            octets.append('\n');
            return octets.toByteArray();
        }
    }

    /** Writes what waits, then ends. What is offered from now on is dropped. */
    @Override
    public void close() {
        closing = true;
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.error("the record {} could not be closed: {}", file, String.valueOf(e.getMessage()));
        }
        if (dropped() > 0) {
            LOG.warn("{} lines were too many for the record {} and are not in it", dropped(), file);
        }
    }
}
