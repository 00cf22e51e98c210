package io.paceline.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** How scripts reach Redis: one round trip, and one more where Redis does not know the script. Thread-safe. */
interface Link extends AutoCloseable {

    /** What the script answers; the stage fails, soon, where nobody does. */
    CompletionStage<List<Object>> run(Script script, byte[] key, byte[]... arguments);

    /** Calls with each message on the channel from soon on, as well as it can; any thread, and it must not block. */
    void listen(byte[] channel, Consumer<byte[]> listener);

    @Override
    void close();
}
