package io.paceline.service.api;

import io.paceline.Outcome;
import io.paceline.pace.hint.FieldValues;
import io.paceline.pace.hint.Hint.Ask;
import io.paceline.pace.hint.Hints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code POST /release} is sent: one lease and how its request ended, or many in {@code releases}.
 *
 * @param releases at least one, in the order given
 * @param batch true where they came as a list, and are answered by one
 */
record ReleaseBody(List<Release> releases, boolean batch) {

    /**
     * One lease's end.
     *
     * @param lease the token, not yet verified
     * @param classified true where the outcome was concluded from the status
     */
    record Release(String lease, Outcome outcome, boolean classified) {}

    static final int MAX_LEASE_CHARS = 256;

    private static final int MAX_RELEASES = 10_000;
    private static final int MAX_HEADERS = 200;
    private static final int MAX_RETRY_AFTER_CHARS = 1_024;
    private static final double MAX_LATENCY_MILLIS = 86_400_000;

    static final List<String> ITEM_FIELDS =
            List.of("lease", "outcome", "latency_ms", "status", "bytes", "retry_after", "headers");
    private static final List<String> FIELDS =
            List.of("lease", "outcome", "latency_ms", "status", "bytes", "retry_after", "headers", "releases");

    /**
     * Reads it.
     *
     * @param nowMicros when it came: what dates in {@code retry_after} and {@code headers} are relative to
     * @throws HttpProblem 400 with the field, its index in a list included; then nothing has been released
     */
    static ReleaseBody read(byte[] octets, long nowMicros) {
        Body body = new Body(nowMicros);
        JsonIn.body(octets, FIELDS, in -> name -> body.take(in, name));
        return body.finish();
    }

    private static final class Body {
        private final long nowMicros;
        private final Item single;
        private final List<Release> list = new ArrayList<>();
        private boolean batch;

        Body(long nowMicros) {
            this.nowMicros = nowMicros;
            this.single = new Item(nowMicros);
        }

        boolean take(JsonIn in, String name) {
            if (!name.equals("releases")) {
                return single.take(in, name);
            }
            batch = true;
            Item item = new Item(nowMicros);
            in.objects(
                    name,
                    MAX_RELEASES,
                    ITEM_FIELDS,
                    index -> item.clear(),
                    member -> item.take(in, member),
                    index -> list.add(item.finish()));
            return true;
        }

        ReleaseBody finish() {
            if (!batch) {
                return new ReleaseBody(List.of(single.finish()), false);
            }
            if (!single.isEmpty()) {
                throw HttpProblem.field(
                        "releases", "`releases` with fields beside it: put them into the list's objects");
            }
            return new ReleaseBody(list, true);
        }
    }

    /** The members of one release as they come. */
    private static final class Item {
        private @Nullable String lease;
        private Outcome.@Nullable Kind outcome;
        private long latencyMicros;
        private int status;
        private long bytes;
        private @Nullable String retryAfter;
        private List<Map.Entry<String, String>> headers = List.of();
        private boolean empty;
        private final long nowMicros;

        Item(long nowMicros) {
            this.nowMicros = nowMicros;
            clear();
        }

        final void clear() {
            lease = null;
            outcome = null;
            latencyMicros = -1;
            status = 0;
            bytes = -1;
            retryAfter = null;
            headers = List.of();
            empty = true;
        }

        boolean isEmpty() {
            return empty;
        }

        boolean take(JsonIn in, String name) {
            empty = false;
            switch (name) {
                case "lease" -> lease = in.text(name, MAX_LEASE_CHARS);
                case "outcome" -> outcome = outcome(in.text(name, MAX_LEASE_CHARS));
                case "latency_ms" -> latencyMicros = Math.round(in.number(name, 0, MAX_LATENCY_MILLIS) * 1_000);
                case "status" -> status = status(in.integer(name, 0, 999));
                case "bytes" -> bytes = in.integer(name, 0, Long.MAX_VALUE);
                case "retry_after" -> retryAfter = retryAfter(in);
                case "headers" -> headers = in.fields(name, MAX_HEADERS);
                case "final_url", "body_sample" ->
                    throw HttpProblem.notSupported(
                            name, "`" + name + "` is not supported by this version: send `outcome` or `status`");
                default -> {
                    return false;
                }
            }
            return true;
        }

        Release finish() {
            if (lease == null) {
                throw HttpProblem.field("lease", "`lease` is missing: send the one that /acquire gave");
            }
            if (outcome == null && status == 0) {
                throw HttpProblem.field(
                        "outcome",
                        "`outcome` is missing: send one of " + OUTCOME_WORDS + ", or a `status` to conclude it");
            }
            FieldValues fields = FieldValues.of(headers);
            List<String> given = retryAfter != null ? List.of(retryAfter) : fields.all("retry-after");
            boolean patience = given.stream().anyMatch(value -> Hints.isRetryAfter(value, nowMicros));
            Outcome.Kind kind = outcome != null ? outcome : StatusClass.of(status, patience);
            boolean authRefused = kind == Outcome.Kind.PROXY_ERROR && status == 407;
            Outcome told = new Outcome(kind, latencyMicros, status, bytes, authRefused)
                    .asking(hint(kind, name -> name.equals("retry-after") ? given : fields.all(name)));
            return new Release(lease, told, outcome == null);
        }

        /** What the answer asked of our pace; null where that is nothing. Without a status the outcome stands for it. */
        private io.paceline.pace.hint.@Nullable Hint hint(Outcome.Kind kind, FieldValues fields) {
            int answered = status;
            if (kind == Outcome.Kind.RATE_LIMITED && !Hints.asksForBackOff(status)) {
                answered = 429;
            } else if (status == 0) {
                answered = kind == Outcome.Kind.SUCCESS ? 200 : 500;
            }
            io.paceline.pace.hint.Hint hint = Hints.read(answered, fields, nowMicros);
            return hint.ask() == Ask.NOTHING ? null : hint;
        }

        private static Outcome.Kind outcome(String word) {
            return Outcome.Kind.ofWord(word)
                    .orElseThrow(() ->
                            HttpProblem.field("outcome", "`outcome` is \"" + cut(word) + "\"" + Hint.of(word, WORDS)));
        }

        /** 0 is what some clients report where there was no answer; sites invent codes up to 999. */
        private static int status(long value) {
            if (value != 0 && value < 100) {
                throw HttpProblem.field(
                        "status", "`status` is " + value + ": it must be from 100 to 999, or 0 for none");
            }
            return (int) value;
        }

        /**
         * What the site named a time to come back, as seconds or as an HTTP date (RFC 9110, section 10.2.3). What else
         * a site writes there is its own fault: it must not cost the client its release, and counts as nothing.
         */
        private static @Nullable String retryAfter(JsonIn in) {
            if (in.isNumber()) {
                return Long.toString(in.integer("retry_after", 0, Long.MAX_VALUE));
            }
            return in.text("retry_after", MAX_RETRY_AFTER_CHARS);
        }

        private static String cut(String text) {
            return text.length() <= 40 ? text : text.substring(0, 40) + "…";
        }
    }

    private static final List<String> WORDS =
            Arrays.stream(Outcome.Kind.values()).map(Outcome.Kind::word).toList();
    private static final String OUTCOME_WORDS = String.join(", ", WORDS);
}
