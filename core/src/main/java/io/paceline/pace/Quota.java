package io.paceline.pace;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much a tenant may use: {@code quota} of {@code tenants[]}. What is null has no bound.
 *
 * <p>Permits and leases are counted before a request goes, in the same atomic step as every rule; bytes and money are known
 * only afterwards ({@link Spending}).
 *
 * @param permits permits in a window of the calendar
 * @param leases how many live at once
 * @param bytes octets received in a window of the calendar
 * @param money billionths of the currency in a window of the calendar
 * @param zone whose midnight it is
 */
public record Quota(
        @Nullable Amount permits,
        @Nullable Integer leases,
        @Nullable Amount bytes,
        @Nullable Amount money,
        ZoneId zone) {

    /** No bound at all. */
    public static final Quota NONE = new Quota(null, null, null, null, ZoneId.of("UTC"));

    /** What rules cannot be called: refusals by a quota name it by these. */
    private static final String PREFIX = "quota.";

    public static final String PERMITS = PREFIX + "permits";
    public static final String LEASES = PREFIX + "leases";
    public static final String BYTES = PREFIX + "bytes";
    public static final String MONEY = PREFIX + "money";

    /** As many buckets as {@link #charges} gives at most. */
    public static final int MAX_CHARGES = 2;

    /**
     * So much in each window.
     *
     * @param most at least 1
     * @param window a part of a day, a day, or seven days from Monday
     */
    public record Amount(long most, Duration window) {
        public Amount {
            if (most < 1) {
                throw new IllegalArgumentException("the amount " + most + " is not at least 1");
            }
            if (!CalendarWindow.fits(Durations.micros(window))) {
                throw new IllegalArgumentException("a window of " + Durations.words(window)
                        + " is none of the calendar: write a part of a day, a day or a week");
            }
        }

        /** The window in a word: {@code day}. */
        public String windowWord() {
            long seconds = window.toSeconds();
            return switch ((int) seconds) {
                case 60 -> "minute";
                case 3_600 -> "hour";
                case 86_400 -> "day";
                case 604_800 -> "week";
                default -> Durations.words(window);
            };
        }
    }

    public Quota {
        Objects.requireNonNull(zone, "zone");
        if (permits != null && permits.most() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "permits " + permits.most() + " is above " + Integer.MAX_VALUE + " in a window");
        }
        if (leases != null && leases < 1) {
            throw new IllegalArgumentException("leases " + leases + " is not at least 1");
        }
    }

    /** The window in which an amount is counted; its limit says nothing. */
    LimitSpec.Calendar windowOf(Amount amount) {
        return new LimitSpec.Calendar(1, Durations.micros(amount.window()), zone);
    }

    /** The buckets that every request of the tenant is charged to. */
    List<Charge> charges(String tenant) {
        List<Charge> charges = new ArrayList<>(MAX_CHARGES);
        if (permits != null) {
            charges.add(charge(
                    PERMITS,
                    tenant,
                    new LimitSpec.Calendar((int) permits.most(), Durations.micros(permits.window()), zone)));
        }
        if (leases != null) {
            charges.add(charge(LEASES, tenant, new LimitSpec.Concurrency(leases)));
        }
        return charges;
    }

    private static Charge charge(String name, String tenant, LimitSpec spec) {
        return Charge.of(name, name + Names.SEPARATOR + tenant, spec, 0, false, Scope.of(Per.GLOBAL), false);
    }

    /** Whether a charge, or a refusal, of this name speaks of a quota. */
    public static boolean isName(@Nullable String rule) {
        return rule != null && rule.startsWith(PREFIX);
    }

    /** One sentence for a refusal by a bucket of {@link #charges}. */
    public static String used(Charge charge, String tenant) {
        return charge.spec() instanceof LimitSpec.Calendar window
                ? used(
                        tenant,
                        window.limit() + " permits",
                        new Amount(1, Duration.ofNanos(window.windowMicros() * 1_000)))
                : "tenant " + tenant + " has all the " + charge.spec().mostAtOnce()
                        + " leases of its quota: release one, or wait for one to end";
    }

    static String used(String tenant, String amount, Amount window) {
        return "tenant " + tenant + " has used up its quota of " + amount + " a " + window.windowWord();
    }
}
