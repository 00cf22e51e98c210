package io.paceline.service.reload;

import io.paceline.service.lists.ProxyEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What may be asked of the configuration while the service runs. Thread-safe; nothing blocks. */
public interface ConfigControl {

    /**
     * Reads all files again and goes by what they say.
     *
     * @param why a few words for the log: who asked
     */
    CompletionStage<ReloadResult> reload(String why);

    /**
     * Adds addresses to a pool, until they are removed. Fails with {@link IllegalArgumentException} where that cannot be,
     * and with {@link java.io.IOException} where they cannot be kept; the message is for a person.
     *
     * @param pool its name; null means the first of the configuration
     */
    CompletionStage<Additions> add(
            @Nullable String pool, List<ProxyEntry> entries, Map<String, String> tags, double weight, boolean metered);

    /** Removes an address that was added. Fails with {@link java.io.IOException} where that cannot be written down. */
    CompletionStage<Removal> remove(String id);

    /** Of this moment, or of one a moment ago. */
    ConfigStatus status();
}
