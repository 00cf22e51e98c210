package io.paceline.demo.history;

import java.util.List;

/**
 * A promise that the history contradicts.
 *
 * @param promise which kind of promise
 * @param atMicros when it was broken
 * @param bounded true where docs/distributed.md states that it may happen then: no violation
 * @param what a sentence
 * @param evidence the events that cannot all be true, the earliest first
 */
public record Finding(Kind promise, long atMicros, boolean bounded, String what, List<Event> evidence) {

    /** Evidence is for people: more of it says nothing more. */
    static final int MOST_EVIDENCE = 12;

    /** The invariants of docs/architecture.md that callers can see. */
    public enum Kind {
        CAP("leases on an address never exceed its cap"),
        LIMIT("no limit is exceeded in any window"),
        SESSION("a live session has exactly one address"),
        END("every lease ends exactly once"),
        LOST("a live lease is not forgotten"),
        BAN("what is banned is not leased"),
        LIVENESS("nobody is refused for long where there is room");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    public Finding {
        evidence = List.copyOf(evidence.subList(0, Math.min(evidence.size(), MOST_EVIDENCE)));
    }
}
