package io.paceline.service.record;

import io.paceline.Outcome;
import io.paceline.Request;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One line of a record, as its reader understands it. Times are microseconds since 1970. */
public sealed interface RecordLine {

    /** The version of the format that this program writes, and the newest that it reads. */
    int VERSION = 1;

    /** The first line of each run. */
    record Header(long atMicros, int version) implements RecordLine {}

    /**
     * A request and its answer.
     *
     * @param atMicros when it was answered
     * @param askedMicros when it came
     * @param host of the URL; never its path
     * @param target the target's name, where it was granted
     * @param client a pseudonym, or null
     * @param session a pseudonym, or null
     * @param tenant whose request it was; empty for the only one
     * @param wanted how many permits, at what cost, how soon
     * @param result {@code granted}, {@code reserved}, or the word of the reason why it was refused
     * @param rule the rule that refused, or null
     * @param leases what was granted
     */
    record Asked(
            long atMicros,
            long askedMicros,
            String pool,
            String host,
            @Nullable String target,
            @Nullable String client,
            @Nullable String session,
            @Nullable String task,
            Map<String, String> tags,
            String tenant,
            Wanted wanted,
            String result,
            @Nullable String rule,
            List<Leased> leases)
            implements RecordLine {
        public Asked {
            Objects.requireNonNull(host, "host");
            tags = Map.copyOf(tags);
            leases = List.copyOf(leases);
        }

        public boolean granted() {
            return !leases.isEmpty();
        }
    }

    /** What was asked for. {@code maxWaitMicros} is negative where the request did not say. */
    record Wanted(int count, int cost, Request.Priority priority, long maxWaitMicros) {
        /** One permit at cost 1, as usual. */
        public static final Wanted ONE = new Wanted(1, 1, Request.Priority.NORMAL, -1);
    }

    /** A lease that was granted; {@code lease} is null for a permit that needs no release. */
    record Leased(@Nullable String lease, String address, boolean probe) {}

    /** A lease was released. {@code latencyMicros} is negative where nobody said. */
    record Ended(
            long atMicros,
            String pool,
            String address,
            String target,
            String lease,
            Outcome.Kind outcome,
            long latencyMicros,
            int status)
            implements RecordLine {}

    /** An address or a cell changed its standing. */
    record Moved(
            long atMicros,
            String pool,
            String address,
            @Nullable String target,
            String from,
            String to,
            String cause) implements RecordLine {}

    /** A lease ended by itself. */
    record Expired(long atMicros, String pool, String address) implements RecordLine {}

    /** A rule would have refused, had it not been a dry run. */
    record DryRun(long atMicros, String rule) implements RecordLine {}

    /** So many lines are missing here, since the disk was too slow for them. */
    record Dropped(long atMicros, long lines) implements RecordLine {}
}
