package io.paceline.health;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Takes a sick address or cell out, and brings it back: the only place where states change.
 *
 * <pre>
 * from                  when                                              to
 * --------------------  ------------------------------------------------  -----------------------------
 * healthy               suspect (below)                                   degraded
 * healthy, degraded,    convicted by Blame                                quarantined (epoch + 1)
 * slow start            as above, after 6 relapses in a row               dead (epoch + 1)
 *                       the upstream refuses our credentials              dead (epoch + 1)
 *                       as above, but the budget allows no more           degraded; a slow start below half: as it is
 * quarantined           the wait is over                                  half-open
 * half-open             5 successes in a row (rise)                       slow start  (epoch + 1)
 *                       convicted, or 3 failures in a row                 quarantined, twice the wait (epoch + 1)
 *                       as above, after 6 relapses in a row               dead (epoch + 1)
 * slow start            the ramp is over                                  healthy
 * degraded              not suspect for a full dwell and 10 outcomes      healthy
 * healthy               20 successes and a stretch as long as the last    healthy, one relapse forgiven
 *                       quarantine
 * dead                  a day has passed (with jitter)                    half-open, and still dead to all others
 *                       fewer than min_in_service are in service          degraded (epoch + 1)
 * </pre>
 *
 * <p>Suspect is who failed 3 of its last 5 or 3 in a row, or has less than 70 % successes over the window; a cell also with
 * 10 % captchas, three at least. an address also whose 95th percentile of latency is
 * more than 3 times its own norm, as measured against what the targets take through all. Suspects go on at half their weight: at 10 % noise such signals fire every 246 outcomes, and
 * nobody is convicted by them.
 *
 * <p>Beside the state stands what people have set ({@link Hold}): frozen and banned subjects are moved by time alone.
 *
 * <p>Every decision is level-triggered: it follows from the row, never from the event, so that a step that was lost is
 * taken at the next outcome. Pure functions of (row, now, random).
 */
public final class Ejection {

    /** The signal of a suspect must be gone for so many outcomes besides the dwell. */
    private static final int DWELL_OUTCOMES = 10;

    /** It falls easier than it rises (PRODUCT P6): so many failures in a row while half-open. */
    private static final int FALL = 3;

    private static final double DEGRADED_FACTOR = 0.5;

    /** What is convicted, but cannot be spared, is used like one on trial. */
    private static final double SPARED_FACTOR = 0.05;

    private static final int WINS_TO_FORGIVE = 20;

    /** The dead are tested again so often: never silently forgotten (PRODUCT P7). */
    static final Duration RETEST = Duration.ofDays(1);

    private final HealthSettings health;
    private final QuarantineSettings quarantine;

    public Ejection(HealthSettings health, QuarantineSettings quarantine) {
        this.health = health;
        this.quarantine = quarantine;
    }

    /** Whether an address or a cell is judged: their first waits differ. */
    public enum Subject {
        ADDRESS,
        CELL
    }

    /**
     * What follows from a row to which an outcome was just added.
     *
     * @param heard what else was found out about it
     */
    public Optional<Move> afterOutcome(
            Subject subject, SubjectRow row, Heard heard, long nowMicros, RandomGenerator random) {
        Standing standing = row.standing();
        if (!standing.judged()) {
            return Optional.empty();
        }
        if (heard.credentialsRefused()) {
            return Optional.of(credentials(standing, nowMicros, random));
        }
        if (heard.convicted() != null) {
            return Optional.of(eject(subject, standing, heard.convicted(), heard.deadly(), nowMicros, random));
        }
        if (standing.halfOpen()) {
            return afterProbe(subject, row, heard, nowMicros, random);
        }
        if (standing.state() == State.DEGRADED) {
            return recovered(row, nowMicros);
        }
        String signal = standing.state() == State.HEALTHY && !heard.excused() ? signal(row) : null;
        if (signal != null) {
            return Optional.of(new Move(standing.inState(State.DEGRADED, nowMicros), "suspect", signal));
        }
        return forgiven(row, nowMicros);
    }

    /**
     * What is known besides the row.
     *
     * @param convicted the evidence against this very subject, by {@link Blame} or by control probes; null where there is none
     * @param excused its target, its provider or our own side is guilty: its failures are not its own
     * @param credentialsRefused the upstream refuses our credentials: no patience helps
     * @param deadly after so many relapses that is its death: a control probe failed, or none can be asked
     */
    public record Heard(@Nullable String convicted, boolean excused, boolean credentialsRefused, boolean deadly) {
        public static final Heard NOTHING = new Heard(null, false, false);

        public Heard(@Nullable String convicted, boolean excused, boolean credentialsRefused) {
            this(convicted, excused, credentialsRefused, true);
        }
    }

    /** What makes a suspect of it, in words; null where nothing does. */
    private @Nullable String signal(SubjectRow row) {
        SuspectSettings suspect = health.suspect();
        Trail trail = row.trail();
        if (row.failStreak() >= suspect.failures()) {
            return row.failStreak() + " failures in a row";
        }
        int faults = trail.faultsAmong(suspect.failuresOf());
        if (faults >= suspect.failures() && row.outcomes() >= suspect.failuresOf()) {
            return faults + " of the last " + suspect.failuresOf() + " failed";
        }
        int outcomes = Math.min(suspect.window(), row.outcomes());
        int successes = outcomes - trail.faultsAmong(outcomes);
        if (outcomes >= SuspectSettings.LEAST_OUTCOMES && successes < suspect.minSuccess() * outcomes) {
            return successes + " of the last " + outcomes + " succeeded";
        }
        int captchas = trail.captchaCount();
        if (captchas >= SuspectSettings.LEAST_CAPTCHAS && captchas >= suspect.captchaShare() * row.outcomes()) {
            return captchas + " captchas in the last " + row.outcomes();
        }
        Latency latency = row.latency();
        double most = suspect.latencyFactor();
        // Half-way back to the norm is back: what hovers about the limit would come and go.
        double allowed = row.standing().state() == State.DEGRADED ? (1 + most) / 2 : most;
        if (latency.jump() > allowed && latency.p95Micros() >= SuspectSettings.LEAST_P95_MICROS) {
            return "p95 " + duration(latency.p95Micros()) + ", "
                    + String.format(Locale.ROOT, "%.1f", latency.jump())
                    + " times its norm of " + duration(latency.normMicros());
        }
        return null;
    }

    /** What follows once a standing's time is over: the end of a wait, or of a slow start. */
    public Optional<Move> whenDue(Standing standing, long nowMicros) {
        if (standing.untilMicros() == 0 || nowMicros < standing.untilMicros()) {
            return Optional.empty();
        }
        if (standing.state() == State.QUARANTINED) {
            Standing to = new Standing(
                    State.PROBING,
                    standing.epoch(),
                    nowMicros,
                    0,
                    standing.waitMicros(),
                    standing.relapses(),
                    0,
                    standing.outSinceMicros());
            return Optional.of(new Move(to, "wait_over", "wait of " + seconds(standing.waitMicros()) + " is over"));
        }
        if (standing.state() == State.DEAD) {
            Standing to = new Standing(
                    State.DEAD,
                    standing.epoch(),
                    standing.sinceMicros(),
                    0,
                    standing.waitMicros(),
                    standing.relapses(),
                    0,
                    standing.outSinceMicros());
            return Optional.of(new Move(to, "retest", "dead for a day: tested again"));
        }
        if (standing.slowStarting()) {
            Standing to = standing.inState(State.HEALTHY, nowMicros);
            return Optional.of(new Move(to, "slow_start_over", "full weight reached"));
        }
        return Optional.empty();
    }

    /** Brings a dead one back, because too few are left in service; empty for any other. */
    public Optional<Move> whenNeeded(Standing standing, long nowMicros) {
        if (standing.state() != State.DEAD || !standing.hold().isNone()) {
            return Optional.empty();
        }
        Standing to = new Standing(
                State.DEGRADED, standing.epoch() + 1, nowMicros, 0, standing.waitMicros(), standing.relapses(), 0, 0);
        return Optional.of(new Move(to, "floor", "dead, but too few others are in service"));
    }

    /** What takes the place of an ejection that the budget does not allow; empty where its weight is as low already. */
    public Optional<Move> whenCapped(Standing standing, Move refused, long nowMicros) {
        if (standing.spared() || weightFactor(standing, nowMicros) <= SPARED_FACTOR) {
            return Optional.empty();
        }
        Standing to = standing.asSpared(nowMicros);
        return Optional.of(
                new Move(to, "capped", refused.reason() + ", but the pool can spare no more: weight lowered"));
    }

    /** The share of its weight that a standing leaves: 1, 0.5 while degraded, 0.05 while spared, the ramp of a slow start. */
    public double weightFactor(Standing standing, long nowMicros) {
        if (standing.state() == State.DEGRADED) {
            return standing.spared() ? SPARED_FACTOR : DEGRADED_FACTOR;
        }
        if (!standing.slowStarting()) {
            return 1;
        }
        double over = Math.max(1, health.slowStartOver().toNanos() / 1_000.0);
        double done = Math.min(1, Math.max(0, (nowMicros - standing.rampFromMicros()) / over));
        return health.slowStartFrom() + (1 - health.slowStartFrom()) * done;
    }

    private Optional<Move> afterProbe(
            Subject subject, SubjectRow row, Heard heard, long nowMicros, RandomGenerator random) {
        Standing standing = row.standing();
        if (row.failStreak() >= FALL && !heard.excused()) {
            String why = row.failStreak() + " failures in a row while half-open";
            return Optional.of(eject(subject, standing, why, heard.deadly(), nowMicros, random));
        }
        if (row.winStreak() < health.rise()) {
            return Optional.empty();
        }
        long over = health.slowStartOver().toNanos() / 1_000;
        // A ramp of no length is a return to full weight at once.
        Standing to = new Standing(
                over == 0 ? State.HEALTHY : State.PROBING,
                standing.epoch() + 1,
                nowMicros,
                over == 0 ? 0 : nowMicros + over,
                standing.waitMicros(),
                standing.relapses(),
                over == 0 ? 0 : nowMicros,
                0);
        return Optional.of(new Move(to, "recovered", row.winStreak() + " good probes in a row"));
    }

    private Move eject(
            Subject subject, Standing standing, String why, boolean deadly, long nowMicros, RandomGenerator random) {
        boolean dies = deadly && standing.relapses() >= quarantine.deadAfter();
        if (standing.state() == State.DEAD || dies) {
            return new Move(
                    dead(standing, nowMicros, random), "dead", why + " (after relapse " + standing.relapses() + ")");
        }
        Duration base = subject == Subject.ADDRESS ? quarantine.base() : quarantine.cellBase();
        Duration cap = subject == Subject.ADDRESS ? quarantine.cap() : quarantine.cellCap();
        double doubled = (double) micros(base) * StrictMath.pow(2, Math.min(standing.relapses(), 40));
        long wait = jittered(Math.min(doubled, (double) micros(cap)), random);
        int relapse = standing.relapses() + 1;
        Standing to = out(standing, wait, relapse, nowMicros);
        return new Move(to, relapse == 1 ? "failures" : "relapse", why + " (relapse " + relapse + ")");
    }

    /** The whole tag leaves: what its members do on their own is not asked, and none of them dies of it. */
    public Optional<Move> withItsTag(Standing standing, String why, long nowMicros, RandomGenerator random) {
        if (!standing.inService()) {
            return Optional.empty();
        }
        Move move = eject(Subject.ADDRESS, standing, why, false, nowMicros, random);
        return Optional.of(new Move(move.to(), "tag", move.reason()));
    }

    /** A password does not heal; another one is another address. Only the daily test finds the upstream's own mistake. */
    private Move credentials(Standing standing, long nowMicros, RandomGenerator random) {
        return new Move(
                dead(standing, nowMicros, random),
                "credentials",
                "the upstream refuses our credentials: correct user or password");
    }

    private Standing dead(Standing from, long nowMicros, RandomGenerator random) {
        return new Standing(
                State.DEAD,
                from.epoch() + 1,
                nowMicros,
                nowMicros + jittered((double) micros(RETEST), random),
                from.waitMicros(),
                from.relapses(),
                0,
                from.outSinceMicros() == 0 ? nowMicros : from.outSinceMicros());
    }

    private static Standing out(Standing from, long waitMicros, int relapses, long nowMicros) {
        return new Standing(
                State.QUARANTINED,
                from.epoch() + 1,
                nowMicros,
                nowMicros + waitMicros,
                waitMicros,
                relapses,
                0,
                from.outSinceMicros() == 0 ? nowMicros : from.outSinceMicros());
    }

    private Optional<Move> recovered(SubjectRow row, long nowMicros) {
        Standing standing = row.standing();
        int wins = standing.spared() ? health.rise() : 1; // the convicted rise as the quarantined do
        boolean quiet =
                row.trail().faultsAmong(DWELL_OUTCOMES) < health.suspect().failures()
                        && row.winStreak() >= wins
                        && signal(row) == null;
        if (!quiet
                || nowMicros - standing.sinceMicros() < micros(health.suspect().dwell())) {
            return Optional.empty();
        }
        Standing to = standing.inState(State.HEALTHY, nowMicros);
        return Optional.of(new Move(to, "recovered", "nothing suspect for a full dwell"));
    }

    private static Optional<Move> forgiven(SubjectRow row, long nowMicros) {
        Standing standing = row.standing();
        if (standing.state() != State.HEALTHY
                || standing.relapses() == 0
                || row.wins() < WINS_TO_FORGIVE
                || nowMicros - standing.sinceMicros() < standing.waitMicros()) {
            return Optional.empty();
        }
        int left = standing.relapses() - 1;
        long wait = left == 0 ? 0 : standing.waitMicros();
        Standing to = new Standing(State.HEALTHY, standing.epoch(), nowMicros, 0, wait, left, 0, 0);
        return Optional.of(new Move(to, "forgiven", "a good stretch; relapses remembered: " + left));
    }

    private long jittered(double micros, RandomGenerator random) {
        double factor = 1 + quarantine.jitter() * (2 * random.nextDouble() - 1);
        return Math.max(1, (long) (micros * factor));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /** Two figures are enough of a percentile: {@code 2.4 s}, {@code 660 ms}. */
    private static String duration(float micros) {
        return micros < 1_000_000
                ? Math.round(micros / 1_000) + " ms"
                : String.format(Locale.ROOT, "%.1f s", micros / 1_000_000);
    }

    static String seconds(long micros) {
        return Math.round(micros / 1e6) + "s";
    }
}
