package io.paceline.scale;

/**
 * The default policy: plans for a wait target or a deadline from the age of the queue, the arrivals and the measured
 * seconds per task.
 *
 * <p>One step, in this order: is the snapshot good enough ({@link QualityGate}); what do the counters say ({@link
 * Estimates}); how many slots does the queue need ({@link Need}); up in one sized jump, down only when nothing waits
 * ({@link DownWindow}); not while most attempts fail ({@link Breaker}) or growth brings nothing ({@link GainTrial}).
 *
 * <p>Immutable and thread-safe; all memory is in {@link PlannerState}.
 */
public final class Planner implements Policy<PlannerState> {

    /** So long a queue may be unreadable before the fallback count is asked for. */
    private static final long BLIND_LIMIT = 3 * Micros.MINUTE;

    private static final double HAIR = 1e-9;

    private final ScalerSettings settings;

    public Planner(ScalerSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "planner";
    }

    @Override
    public PlannerState initial() {
        return PlannerState.INITIAL;
    }

    @Override
    public Step<PlannerState> step(Snapshot snapshot, FleetView fleet, PlannerState state) {
        PlannerState known = state.rebased(snapshot.nowMicros(), settings.periodMicros());
        QualityGate gate = QualityGate.of(snapshot, fleet, known.history(), settings.maxAgeMicros());
        return gate.blind() ? blind(snapshot, fleet, known, gate) : seeing(snapshot, fleet, known, gate);
    }

    /** Unknown is never zero: stay, and after three minutes at least the fallback. */
    private Step<PlannerState> blind(Snapshot snapshot, FleetView fleet, PlannerState s, QualityGate gate) {
        long now = snapshot.nowMicros();
        long since = s.blindMicros() == PlannerState.NEVER ? now : s.blindMicros();
        boolean tooLong = now - since >= BLIND_LIMIT;
        int wanted = tooLong ? Math.max(fleet.present(), settings.fallback()) : fleet.present();
        Wish wish = new Wish(wanted, tooLong ? "fallback" : "blind", gate.why());
        return new Step<>(
                wish,
                new PlannerState(
                        now,
                        s.history(),
                        s.serviceSeconds(),
                        DownWindow.EMPTY,
                        s.breaker(),
                        s.trial(),
                        since,
                        s.grownBacklog(),
                        wanted));
    }

    private Step<PlannerState> seeing(Snapshot snapshot, FleetView fleet, PlannerState s, QualityGate gate) {
        long now = snapshot.nowMicros();
        int current = fleet.present();
        History history = s.history().with(snapshot.tally(), now);
        Estimates estimates = Estimates.of(history, serviceSeconds(s), startupSeconds(snapshot));
        int waiting = snapshot.demand().orElse(0);
        int inFlight = snapshot.inFlight().orElse(0);
        Need need = need(snapshot, waiting, inFlight, estimates);
        int wantedUp = workers(need.slots());
        int wantedDown = Math.max(wantedUp, workers(inFlight));
        long length = windowMicros(estimates);
        DownWindow window =
                gate.quality() == Quality.GOOD ? s.window().with(now, wantedDown, length) : DownWindow.EMPTY;
        Breaker breaker = s.breaker().step(estimates.failures(), current, settings.min(), now);
        GainTrial.Facts facts = new GainTrial.Facts(now, current, waiting, history, estimates);
        GainTrial trial = breaker.open() ? s.trial() : s.trial().review(facts);

        Wish wish = sized(wantedUp, waiting, inFlight, fleet, s.grownBacklog(), need);
        if (wish.workers() == current && wantedUp <= current && waiting == 0) {
            boolean newSample = snapshot.demand().measuredAtMicros() > s.lastMicros();
            wish = newSample
                    ? quiet(gate, window, now, length, current, inFlight)
                    : new Wish(current, "same_sample", "nothing new was measured: never down on an old figure");
        }
        wish = atLeastMin(held(wish, current, breaker, trial, history, s.lastWish()));
        boolean grows = wish.workers() > current;
        return new Step<>(
                wish,
                new PlannerState(
                        now,
                        history,
                        estimates.serviceSeconds(),
                        window,
                        breaker,
                        grows ? trial.grown(facts) : trial,
                        PlannerState.NEVER,
                        grows ? waiting + inFlight : s.grownBacklog(),
                        wish.workers()));
    }

    /** Up in one sized jump; while workers for the same tasks are starting, only more tasks than then are new. */
    private static Wish sized(int wanted, int waiting, int inFlight, FleetView fleet, int grownBacklog, Need need) {
        int current = fleet.present();
        if (wanted <= current) {
            return new Wish(current, "queue", waiting + " tasks wait: never down");
        }
        return fleet.starting() > 0 && waiting + inFlight <= grownBacklog
                ? new Wish(current, "starting", "workers for these tasks are starting")
                : new Wish(wanted, "need", need.why());
    }

    /** Nothing waits: down to what was needed lately, if all was seen and for long enough. */
    private static Wish quiet(QualityGate gate, DownWindow window, long now, long length, int current, int inFlight) {
        if (gate.quality() != Quality.GOOD) {
            return new Wish(current, "partial", gate.why());
        }
        return window.full(now, length)
                ? new Wish(window.floorFor(current), "idle", "nothing waits, " + inFlight + " tasks in flight")
                : new Wish(current, "watching", "not watched for long enough to go down");
    }

    private Wish atLeastMin(Wish wish) {
        return wish.workers() >= settings.min()
                ? wish
                : new Wish(settings.min(), "min", "never below the minimum of " + settings.min());
    }

    private Wish held(Wish wish, int current, Breaker breaker, GainTrial trial, History history, int lastWish) {
        if (breaker.open() && wish.workers() > Math.min(breaker.cap(), current)) {
            int cap = Math.min(breaker.cap(), current);
            return new Wish(cap, "breaker", Text.percent(history.failures().share()) + " of attempts fail");
        }
        if (wish.workers() > trial.cap(current)) {
            return new Wish(trial.cap(current), "gain", "the last growth brought nothing: the provider is full");
        }
        long deaths = history.deaths(5 * Micros.MINUTE);
        int before = Math.max(current, lastWish);
        if (wish.workers() > before && deaths >= Math.max(3, (before + 1) / 2)) {
            return new Wish(before, "deaths", deaths + " workers died within five minutes: replace, never grow");
        }
        return wish;
    }

    private Need need(Snapshot snapshot, int waiting, int inFlight, Estimates e) {
        Need need;
        if (settings.goal() instanceof Goal.Deadline deadline) {
            long due = deadline.nextMicros(snapshot.nowMicros());
            need = Need.forDeadline(waiting, inFlight, e, Micros.seconds(due - snapshot.nowMicros()));
        } else {
            double slo = Micros.seconds(Micros.of(((Goal.Wait) settings.goal()).slo()));
            need = Need.forWait(waiting, snapshot.ages().orElse(QueueAges.NONE), e, slo);
        }
        need = need.usable(waiting, inFlight, e);
        return snapshot.permittedPerSecond() instanceof Figure.Known<Double> rate
                ? need.permitted(rate.value(), e)
                : need;
    }

    private int workers(double slots) {
        return (int) Math.ceil(slots / settings.tasksPerWorker() - HAIR);
    }

    private double serviceSeconds(PlannerState s) {
        return s.serviceSeconds() > 0 ? s.serviceSeconds() : Micros.seconds(Micros.of(settings.serviceGuess()));
    }

    private double startupSeconds(Snapshot snapshot) {
        return snapshot.startupSeconds().orElse(Micros.seconds(Micros.of(settings.startup())));
    }

    /** One and a half start-up times, and never less than two looks. */
    private long windowMicros(Estimates e) {
        return Math.max(Micros.of(1.5 * e.startupSeconds()), 2 * settings.periodMicros());
    }
}
