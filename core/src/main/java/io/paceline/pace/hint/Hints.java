package io.paceline.pace.hint;

import io.paceline.pace.hint.Hint.Ask;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an answer asks of our pace, from its status and fields:
 *
 * <pre>
 *   Retry-After            on every status from 300 on; on 2xx it means nothing for pace
 *   RateLimit and kin      on 429 and 503 whenever they name a time, on any other status when the quota is used up
 *   429, 503 without any   BACK_OFF: never "go on"
 * </pre>
 *
 * <p>Retry-After goes before the others where both are usable (as the draft on rate limit fields says). A wait of 0 or in
 * the past is no use of it: the next source is asked. Dates are taken relative to the site's own {@code Date}. What is
 * longer than the cap is cut to it. {@code docs/hints.md} has the table of decisions. Pure; thread-safe.
 */
public final class Hints {
    /** The longest wait that any hint can bring about. */
    public static final Duration CAP = Duration.ofHours(24);

    private Hints() {}

    /** As {@link #read(int, FieldValues, long, Duration)}, with the cap of every gatekeeper. */
    public static Hint read(int status, FieldValues fields, long nowMicros) {
        return read(status, fields, nowMicros, CAP);
    }

    /**
     * What the answer asks for.
     *
     * @param status of the answer; 0 where there was none
     * @param nowMicros when it came, microseconds since 1970
     */
    public static Hint read(int status, FieldValues fields, long nowMicros, Duration cap) {
        boolean refused = asksForBackOff(status);
        long siteNow = siteNow(fields, nowMicros);
        String passedOver = null;
        List<String> retryAfter = status >= 300 ? fields.all("retry-after") : List.of();
        if (!retryAfter.isEmpty()) {
            Wish wish = RetryAfter.read(retryAfter, siteNow);
            if (wish.asksForWait()) {
                return wait("Retry-After", retryAfter, wish, cap);
            }
            passedOver = passedOver("Retry-After", retryAfter, wish);
        }
        QuotaFields.Found quota = QuotaFields.read(fields, refused, siteNow);
        if (quota != null && quota.wish().asksForWait()) {
            return wait(quota.field(), quota.values(), quota.wish(), cap);
        }
        if (quota != null && refused && passedOver == null) {
            passedOver = passedOver(quota.field(), quota.values(), quota.wish());
        }
        return new Hint(refused ? Ask.BACK_OFF : Ask.NOTHING, 0, null, null, passedOver, false);
    }

    /** Whether a value of {@code Retry-After} is a time at all, be it one that asks for no wait. */
    public static boolean isRetryAfter(String value, long nowMicros) {
        return RetryAfter.read(List.of(value), nowMicros).waitMicros() >= 0;
    }

    /** Whether the status alone says that we were too fast, or that the site cannot do more now. */
    public static boolean asksForBackOff(int status) {
        return status == 429 || status == 503;
    }

    /** The site's clock, where it told it in a {@code Date} that can be read; else ours. */
    private static long siteNow(FieldValues fields, long nowMicros) {
        List<String> dates = fields.all("date");
        if (dates.size() != 1) {
            return nowMicros;
        }
        OptionalLong date = HttpDate.epochSeconds(Text.trim(dates.get(0)), nowMicros / 1_000_000);
        return date.isPresent() ? date.getAsLong() * 1_000_000 : nowMicros;
    }

    private static Hint wait(String field, List<String> values, Wish wish, Duration cap) {
        long most = cap.toNanos() / 1_000;
        boolean capped = wish.waitMicros() > most;
        String note = capped ? "is longer than " + cap.toSeconds() + " s and was cut to that" : wish.note();
        return new Hint(Ask.WAIT, Math.min(wish.waitMicros(), most), field, Text.shown(values), note, capped);
    }

    private static @Nullable String passedOver(String field, List<String> values, Wish wish) {
        return field + " \"" + Text.shown(values) + "\" " + wish.note();
    }
}
