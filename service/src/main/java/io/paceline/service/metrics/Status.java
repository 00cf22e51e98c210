package io.paceline.service.metrics;

import io.paceline.health.ControlUrl;
import io.paceline.health.Hold;
import io.paceline.health.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What runs, at one moment: for the views of the API, {@code paceline status} and the gauges.
 *
 * @param controlUrls those of all pools
 */
public record Status(List<Pool> pools, List<ControlUrl> controlUrls) {

    /** Every word that an address's state can be: what judgement finds, then what people set. */
    public static final List<String> STATES = states();

    private static List<String> states() {
        List<String> words = new ArrayList<>();
        for (State state : State.values()) {
            words.add(state.word());
        }
        words.addAll(Hold.WORDS);
        return List.copyOf(words);
    }

    public Status {
        pools = List.copyOf(pools);
        controlUrls = List.copyOf(controlUrls);
    }

    /** Without control URLs. */
    public Status(List<Pool> pools) {
        this(pools, List.of());
    }

    /**
     * One pool.
     *
     * @param leases live ones
     * @param sessions live ones
     * @param capUsed the share of the quarantine cap that is used, 0 to 1
     */
    public record Pool(
            String name, String strategy, long leases, long sessions, double capUsed, List<AddressStatus> addresses) {
        public Pool {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * One address of a pool.
     *
     * @param endpoint scheme, host and port; no credentials
     * @param state the word of what people have set, else of its state
     * @param untilMicros when that ends by itself; 0 where it does not
     * @param cells how many of its cells are out of service
     * @param successRate over the last outcomes, 0 to 1; negative while nothing is known
     * @param latencyMicros average of recent successes; 0 where unknown
     * @param p50Micros their median; 0 where unknown
     * @param p95Micros their 95th percentile; 0 where unknown
     * @param reason why it is banned, in the words of who did it; empty where it is not, or no reason was given
     * @param checkedMicros when it was probed last; 0 for never
     * @param checkLatencyMicros how long a control URL took to answer through it; 0 where unknown
     */
    public record AddressStatus(
            String id,
            String endpoint,
            Map<String, String> tags,
            double weight,
            String state,
            long untilMicros,
            long leases,
            int cells,
            double successRate,
            long latencyMicros,
            long p50Micros,
            long p95Micros,
            String reason,
            long checkedMicros,
            long checkLatencyMicros) {
        public AddressStatus {
            tags = Map.copyOf(tags);
        }
    }
}
