package io.paceline;

import com.dynatrace.hash4j.hashing.Hashing;
import io.paceline.Judge.Case;
import io.paceline.Outcome.Blames;
import io.paceline.Outcome.Kind;
import io.paceline.health.ControlResult;
import io.paceline.health.ControlUrl;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.pace.RobotsMode;
import io.paceline.pace.Spending;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Due;
import io.paceline.store.Enrollee;
import io.paceline.store.SessionRow;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Settlement.Evidence;
import io.paceline.store.StateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The gatekeeper in this process: routes a request, lets the {@link StateStore} decide, learns from every answer.
 *
 * <p>The main path, a reader's way in: {@link #acquire} finds the {@link Routes.Route} of the URL and starts an
 * {@link Attempt}, which proposes addresses from the {@link io.paceline.pool.PoolView} and asks {@link StateStore#admit};
 * {@link #settle} tells {@link StateStore#settle} how it went and hands the rows to the {@link Judge}. Time moves on in
 * {@link #tick}, which calls itself by the {@link Alarm}.
 *
 * <p>Thread-safe. It has no clock, thread or socket of its own: ticker, alarm, randomness and listener are given to it.
 */
public final class EmbeddedGatekeeper implements Gatekeeper {
    /** A session whose address or cell has been out for longer has lost it. */
    static final long SESSION_LOST_AFTER_OUT_MICROS = Duration.ofMinutes(2).toNanos() / 1_000;

    /** Requests that may wait in line at once; the next one is told {@code queue_full}. */
    static final int MAX_WAITING = 10_000;

    /** Tickets that this instance keeps for callers who come back. */
    private static final int MAX_TICKETS = 100_000;

    /** The longest time between two ticks: how old a change of another instance may get. */
    private static final long TICK_MICROS = 1_000_000;

    private static final long SHORTEST_TICK_MICROS = 10_000;
    private static final int DUE_A_TICK = 1_024;
    private static final int SETTLE_TRIES = 3;

    final StateStore store;
    final Ticker ticker;
    final Alarm alarm;
    final RandomGenerator random;
    final GateListener listener;
    final WaitingRoom room;
    final Waiters waiters = new Waiters();
    private final Judge judge;
    private final Pacer pacer;
    private final Orders orders;
    /** Null where nobody can ask control URLs. */
    private final @Nullable ControlProbes probes;
    /** Null where nobody can fetch a robots.txt: then none is gone by. */
    private final @Nullable RobotsGate robots;

    private final Spending spending;
    private final Map<String, KeptTicket> tickets = new ConcurrentHashMap<>();
    private volatile Routes routes;
    private volatile boolean closed;
    /** When old tickets were forgotten last; touched by the tick alone. */
    private volatile long ticketsSweptMicros;

    private record KeptTicket(Request request, long ticket, long useByMicros) {}

    private EmbeddedGatekeeper(Builder builder, Routes routes) {
        this.store = builder.store;
        this.ticker = builder.ticker;
        this.alarm = builder.alarm;
        this.random = builder.random;
        this.listener = builder.listener;
        this.room = new WaitingRoom(MAX_WAITING, alarm, ticker);
        this.judge = new Judge(store, random, listener);
        this.pacer = new Pacer(store, random, listener);
        this.orders = new Orders(store, listener);
        this.probes = builder.prober == null
                ? null
                : new ControlProbes(store, ticker, alarm, random, listener, judge, builder.prober);
        this.robots = builder.fetcher == null
                ? null
                : new RobotsGate(this, builder.fetcher, builder.agent, builder.privateTargets);
        this.spending = builder.spending;
        this.routes = routes;
    }

    /** Everything that is not decided here but given: state, time, chance. */
    public static Builder builder(StateStore store, Ticker ticker, Alarm alarm, RandomGenerator random) {
        return new Builder(store, ticker, alarm, random);
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final StateStore store;
        private final Ticker ticker;
        private final Alarm alarm;
        private final RandomGenerator random;
        private GateListener listener = GateListener.NONE;
        private @Nullable Prober prober;
        private @Nullable PageFetcher fetcher;
        private String agent = "";
        private boolean privateTargets;
        private Spending spending = new Spending();

        private Builder(StateStore store, Ticker ticker, Alarm alarm, RandomGenerator random) {
            this.store = store;
            this.ticker = ticker;
            this.alarm = alarm;
            this.random = random;
        }

        public Builder listener(GateListener listener) {
            this.listener = listener;
            return this;
        }

        /** Who asks control URLs; without him there are no active probes, whatever a pool's settings say. */
        public Builder prober(Prober prober) {
            this.prober = prober;
            return this;
        }

        /**
         * Who fetches robots.txt; without him none is gone by, whatever the targets say.
         *
         * @param crawler its product token: the group of rules that is ours
         * @param allowPrivate whether a robots.txt may redirect to a private address
         */
        public Builder robots(PageFetcher pages, String crawler, boolean allowPrivate) {
            this.fetcher = pages;
            this.agent = crawler;
            this.privateTargets = allowPrivate;
            return this;
        }

        /** Where what tenants have used is added up: by whoever knows what their requests cost. */
        public Builder spending(Spending used) {
            this.spending = used;
            return this;
        }

        /** Enrols the addresses and starts to tick; the stage completes when the first request may come. */
        public CompletionStage<EmbeddedGatekeeper> start(GateConfig config) {
            EmbeddedGatekeeper gate = new EmbeddedGatekeeper(this, new Routes(config, pools(config, Map.of())));
            return gate.enrol(gate.routes).thenApply(done -> {
                gate.configureProbes();
                store.listen(gate::announced);
                gate.tick();
                return gate;
            });
        }
    }

    // ---- configuration

    /**
     * Goes by another configuration from the next decision on: counters, sessions and health of what stays are kept, leases
     * of what is gone run out.
     */
    public CompletionStage<Void> configure(GateConfig config) {
        Routes before = routes;
        Routes next = new Routes(config, pools(config, before.pools));
        return enrol(next)
                .thenCompose(done -> {
                    routes = next;
                    configureProbes();
                    return emptied(before, next);
                })
                .thenRun(room::wakeAll);
    }

    private void configureProbes() {
        if (probes != null) {
            probes.configure(routes.pools.values());
        }
    }

    private static Map<String, PoolRuntime> pools(GateConfig config, Map<String, PoolRuntime> known) {
        Map<String, PoolRuntime> pools = new LinkedHashMap<>();
        for (PoolConfig pool : config.pools()) {
            PoolSettings settings = pool.settings();
            PoolRuntime runtime = known.get(settings.name());
            PoolRuntime other = pools.put(settings.name(), runtime == null ? new PoolRuntime(settings) : runtime);
            if (other != null) {
                throw new IllegalArgumentException("pools: two are named \"" + settings.name() + "\"");
            }
        }
        if (pools.values().stream().map(pool -> pool.chain).distinct().count() < pools.size()) {
            throw new IllegalArgumentException("pools: two names share one hash; rename one of " + pools.keySet());
        }
        return pools;
    }

    private CompletionStage<Void> enrol(Routes next) {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (PoolConfig pool : next.config.pools()) {
            PoolRuntime runtime = next.pool(pool.settings().name());
            List<Enrollee> members = pool.addresses().stream()
                    .map(address -> new Enrollee(
                            hash(address.id()), Kin.hash(Kin.provider(address)), Kin.hash(Kin.subnet(address))))
                    .toList();
            all = all.thenCompose(done -> store.enrol(runtime.chain, members))
                    .thenAccept(enrolled ->
                            runtime.view.configure(pool.settings(), pool.addresses(), enrolled, ticker.micros()));
        }
        return all;
    }

    /** Of a pool that is gone no address serves any more: sessions that another pool began there must learn it. */
    private CompletionStage<Void> emptied(Routes before, Routes next) {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (PoolRuntime pool : before.pools.values()) {
            if (!next.pools.containsKey(pool.name)) {
                all = all.thenCompose(done -> store.enrol(pool.chain, List.of()))
                        .thenAccept(enrolled -> {});
            }
        }
        return all;
    }

    // ---- permits

    @Override
    public CompletionStage<Decision> acquire(Request request) {
        Routes current = routes.of(request);
        Routes.Route route = current.of(request.target());
        Decision.Refused spent = spent(request, current, route);
        if (spent != null) {
            return CompletableFuture.completedFuture(spent);
        }
        return robots == null || route.robots() == RobotsMode.IGNORE
                ? attempt(request, current, route, ticker.micros()).start()
                : byRobots(robots, request, current, route, 0);
    }

    /** What a tenant is told that has used up what is known only afterwards; null where it may go on. */
    private Decision.@Nullable Refused spent(Request request, Routes current, Routes.Route route) {
        TenantSettings tenant = current.tenant();
        if (tenant == null) {
            return null;
        }
        long now = ticker.micros();
        Spending.Exhausted exhausted = spending.exhausted(tenant, now);
        if (exhausted == null) {
            return null;
        }
        String pool = Attempt.poolOf(request, current, route).name;
        Decision.Refused refused = new Decision.Refused(
                Reason.QUOTA_EXCEEDED, exhausted.opensAtMicros() - now, exhausted.rule(), exhausted.message());
        listener.decided(request, pool, refused, now, now);
        return refused;
    }

    /** As {@link #acquire}, whatever the site's robots.txt says: for the fetch of that file itself. */
    CompletionStage<Decision> admit(Request request) {
        Routes current = routes.of(request);
        return attempt(request, current, current.of(request.target()), ticker.micros())
                .start();
    }

    /** @param ticket what has paid already, or 0 */
    private CompletionStage<Decision> byRobots(
            RobotsGate asked, Request request, Routes current, Routes.Route route, long ticket) {
        long now = ticker.micros();
        // The pool is looked for first: a request that names none that exists is broken, whatever the site allows.
        PoolRuntime pool = Attempt.poolOf(request, current, route);
        return asked.hear(request, route, now).thenCompose(heard -> {
            if (heard.refused() != null) {
                if (ticket != 0) {
                    store.giveBack(ticket);
                }
                listener.decided(request, pool.name, heard.refused(), now, ticker.micros());
                return CompletableFuture.completedStage(heard.refused());
            }
            Attempt attempt = new Attempt(this, request, current, route, heard.crawlDelay(), now);
            return ticket == 0 ? attempt.start() : attempt.redeem(ticket);
        });
    }

    private Attempt attempt(Request request, Routes current, Routes.Route route, long now) {
        return new Attempt(this, request, current, route, null, now);
    }

    /** The configuration at work at this moment. */
    Routes routes() {
        return routes;
    }

    @Override
    public CompletionStage<Decision> redeem(String name) {
        KeptTicket kept = tickets.remove(name);
        if (kept == null || kept.useByMicros() < ticker.micros()) {
            return CompletableFuture.completedFuture(new Decision.Refused(
                    Reason.TICKET_EXPIRED, -1, null, "the ticket is unknown, used or too old: ask again without it"));
        }
        Request request = kept.request();
        Routes current = routes.of(request);
        Routes.Route route = current.of(request.target());
        Request held = request.toBuilder().hold(true).build();
        return robots == null || route.robots() == RobotsMode.IGNORE
                ? attempt(held, current, route, ticker.micros()).redeem(kept.ticket())
                : byRobots(robots, held, current, route, kept.ticket());
    }

    @Override
    public CompletionStage<Boolean> giveBack(String name) {
        KeptTicket kept = tickets.remove(name);
        return kept == null ? CompletableFuture.completedFuture(false) : store.giveBack(kept.ticket());
    }

    /** A name for the ticket, under which its request is remembered; null where as many are out as may. */
    @Nullable
    String keepTicket(Request request, Admitted.Reserved reserved) {
        if (tickets.size() >= MAX_TICKETS) {
            return null;
        }
        String name =
                "t_" + Long.toUnsignedString(reserved.ticket(), 36) + Long.toUnsignedString(random.nextLong(), 36);
        tickets.put(name, new KeptTicket(request, reserved.ticket(), reserved.useByMicros()));
        return name;
    }

    @Override
    public CompletionStage<SettleResult> settle(LeaseId lease, Outcome outcome) {
        Settlement settlement = new Settlement(
                lease,
                addressEvidence(outcome.kind()),
                cellEvidence(outcome),
                sign(outcome),
                outcome.kind() == Kind.SUCCESS ? outcome.latencyMicros() : -1,
                reached(outcome.kind()),
                outcome.kind() == Kind.CANCELED);
        CompletionStage<Settled> first = store.settle(settlement);
        Settled known = Stages.known(first);
        return known != null
                ? CompletableFuture.completedFuture(learn(lease, outcome, known))
                : repeated(first, settlement, 1).thenApply(settled -> learn(lease, outcome, settled));
    }

    private static Evidence addressEvidence(Kind kind) {
        if (kind == Kind.SUCCESS) {
            return Evidence.SUCCESS;
        }
        return kind.blames() == Blames.ADDRESS || kind == Kind.TIMEOUT ? Evidence.FAULT : Evidence.NONE;
    }

    /** Whatever failed on the way of this address to this target may be the pair's; blame finds out. */
    private static Evidence cellEvidence(Outcome outcome) {
        return switch (outcome.kind()) {
            case SUCCESS -> Evidence.SUCCESS;
            case CAPTCHA -> Evidence.CAPTCHA;
            case TIMEOUT, BLOCKED, CONNECT_ERROR -> Evidence.FAULT;
            case PROXY_ERROR -> outcome.authRefused() ? Evidence.NONE : Evidence.FAULT;
            case RATE_LIMITED, TARGET_ERROR, NEUTRAL, CANCELED -> Evidence.NONE;
        };
    }

    static Sign sign(Outcome outcome) {
        return switch (outcome.kind()) {
            case SUCCESS -> Sign.SUCCESS;
            case CONNECT_ERROR, TIMEOUT -> Sign.UNREACHED;
            case PROXY_ERROR -> outcome.authRefused() ? Sign.NONE : Sign.UNREACHED;
            case BLOCKED, TARGET_ERROR -> Sign.REFUSED;
            case CAPTCHA -> Sign.CAPTCHA;
            case RATE_LIMITED, NEUTRAL, CANCELED -> Sign.NONE;
        };
    }

    /** Whether the request certainly came as far as the address: then a session's binding holds. */
    private static boolean reached(Kind kind) {
        return kind.blames() != Blames.ADDRESS && kind != Kind.CANCELED && kind != Kind.TIMEOUT;
    }

    /** Repeats after an unknown result: what then is "already released" was released by the call whose answer was lost. */
    private CompletionStage<Settled> repeated(CompletionStage<Settled> answer, Settlement settlement, int attempt) {
        return answer.handle((settled, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(attempt > 1 ? asReleased(settled) : settled);
                    }
                    listener.storeError("settle", failure);
                    return attempt < SETTLE_TRIES
                            ? repeated(store.settle(settlement), settlement, attempt + 1)
                            : CompletableFuture.<Settled>failedStage(failure);
                })
                .thenCompose(stage -> stage);
    }

    private static Settled asReleased(Settled settled) {
        return settled.result() == SettleResult.ALREADY_RELEASED
                ? Settled.nothing(SettleResult.RELEASED, settled.nowMicros())
                : settled;
    }

    private SettleResult learn(LeaseId lease, Outcome outcome, Settled settled) {
        Routes current = routes;
        PoolRuntime pool = current.ofChain(lease.chain());
        pacer.afterOutcome(lease, outcome, settled, current);
        if (pool == null || settled.address() == null || settled.cell() == null) {
            return settled.result();
        }
        String target = current.targetName(lease.target());
        Address address =
                pool.view.settled(lease.slot(), lease.target(), settled.address(), settled.cell(), settled.nowMicros());
        if (settled.trained()) {
            judge.afterOutcome(new Case(pool, lease.slot(), lease.target(), target), outcome, settled);
        }
        if (address != null) {
            listener.settled(lease, pool.name, address.id(), target, outcome, settled.trained());
        }
        room.wake(lease.chain(), lease.target());
        return settled.result();
    }

    /** Gives back leases whose caller has gone. */
    void cancel(Lease lease) {
        if (lease.id() != null) {
            settle(lease.id(), Outcome.of(Kind.CANCELED));
        }
    }

    /** An admission with an unknown result: whatever it may have granted is ended. */
    void abandon(Admission admission, Throwable failure) {
        listener.storeError("admit", failure);
        for (int i = 0; i < admission.count(); i++) {
            LeaseId id = new LeaseId(admission.leaseId() + i, admission.chain(), -1, admission.target(), 0);
            store.settle(Settlement.unused(id));
        }
        store.giveBack(admission.leaseId());
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease) {
        PoolRuntime pool = routes.ofChain(lease.chain());
        return pool == null
                ? CompletableFuture.completedFuture(OptionalLong.empty())
                : store.renew(lease, pool.settings().leaseTtl().toNanos() / 1_000);
    }

    // ---- sessions and reports

    @Override
    public CompletionStage<Boolean> endSession(String tenant, @Nullable String pool, String session) {
        return store.endSession(routes.ofTenant(tenant).pool(pool).chain, sessionKey(tenant, session));
    }

    @Override
    public CompletionStage<Boolean> repinSession(String tenant, @Nullable String pool, String session) {
        return store.repinSession(routes.ofTenant(tenant).pool(pool).chain, sessionKey(tenant, session));
    }

    @Override
    public CompletionStage<Boolean> report(String address, @Nullable String target, boolean good) {
        Routes current = routes;
        Evidence evidence = good ? Evidence.SUCCESS : Evidence.FAULT;
        Target about = target == null ? null : current.of(target).target();
        CompletionStage<Boolean> any = CompletableFuture.completedFuture(false);
        for (PoolRuntime pool : current.pools.values()) {
            int slot = pool.view.slotOf(address);
            if (slot >= 0) {
                any = any.thenCombine(report(pool, slot, about, evidence), Boolean::logicalOr);
            }
        }
        return any;
    }

    private CompletionStage<Boolean> report(PoolRuntime pool, int slot, @Nullable Target about, Evidence evidence) {
        long target = about == null ? 0 : about.hash();
        return store.observe(
                        pool.chain,
                        slot,
                        target,
                        about == null ? evidence : Evidence.NONE,
                        about == null ? Evidence.NONE : evidence)
                .thenApply(settled -> {
                    if (settled.address() == null) {
                        return false;
                    }
                    pool.view.shifted(slot, 0, settled.address(), settled.nowMicros());
                    if (settled.cell() == null) {
                        judge.afterReport(new Case(pool, slot, 0, null), settled.address(), settled.nowMicros());
                    } else {
                        String name = about == null ? null : about.name();
                        judge.afterReport(new Case(pool, slot, target, name), settled.cell(), settled.nowMicros());
                    }
                    return true;
                });
    }

    @Override
    public CompletionStage<Order.Result> carryOut(Order order) {
        Routes current = routes;
        Target about = order.target() == null ? null : current.named(order.target());
        long target = about == null ? 0 : about.hash();
        String name = about == null ? null : about.name();
        long now = ticker.micros();
        CompletionStage<Order.Result> all = CompletableFuture.completedFuture(Order.Result.UNKNOWN_ADDRESS);
        for (PoolRuntime pool : current.pools.values()) {
            int slot = pool.view.slotOf(order.address());
            if (slot >= 0) {
                CompletionStage<Order.Result> here = orders.carryOut(new Case(pool, slot, target, name), order, now);
                // Done where it was done anywhere; already where it was so everywhere.
                all = all.thenCombine(here, (before, last) -> before.compareTo(last) < 0 ? before : last);
            }
        }
        return all.thenApply(result -> {
            current.pools.values().forEach(pool -> keepTheFloor(pool, now));
            return result;
        });
    }

    // ---- active probes

    /**
     * Asks a pool's live control URLs through an address, and directly where none passes; changes nothing about the address.
     * {@link ControlResult.Verdict#UNKNOWN} where that proves nothing, or cannot be done: no prober, no live control URL, a
     * metered address.
     *
     * @throws IllegalArgumentException where the pool does not exist
     */
    public CompletionStage<ControlResult> control(String pool, String addressId) {
        PoolRuntime runtime = routes.pool(pool);
        Address address = runtime.view.address(runtime.view.slotOf(addressId));
        return probes == null || address == null
                ? CompletableFuture.completedFuture(ControlResult.unknown("there is nobody to ask"))
                : probes.control(runtime, address);
    }

    /** The control URLs of all pools, as this instance knows them. */
    public List<ControlUrl> controlUrls() {
        return probes == null ? List.of() : probes.urls();
    }

    // ---- time

    /** Does what time has made due and asks the alarm to be called again. */
    private void tick() {
        if (closed) {
            return;
        }
        long now = ticker.micros();
        long next = now + TICK_MICROS;
        if (now >= ticketsSweptMicros + TICK_MICROS) {
            ticketsSweptMicros = now;
            tickets.values().removeIf(kept -> kept.useByMicros() < now);
        }
        goHome();
        for (PoolRuntime pool : routes.pools.values()) {
            next = Math.min(next, pool.view.tick(now));
            keepTheFloor(pool, now);
            store.due(pool.chain, DUE_A_TICK).whenComplete((due, failure) -> {
                if (failure != null) {
                    listener.storeError("due", failure);
                } else {
                    whenDue(pool, due);
                }
            });
            catchUp(pool);
            next = Math.min(next, pool.nextDueMicros);
        }
        if (probes != null) {
            probes.tick(now);
        }
        alarm.at(Math.max(next, now + SHORTEST_TICK_MICROS), this::tick);
    }

    /** Where the store has another share for this instance, its views go by that. */
    private void goHome() {
        LongPredicate home = store.home();
        routes.pools.values().forEach(pool -> pool.shares(home));
    }

    private void catchUp(PoolRuntime pool) {
        pool.feed.read(
                store,
                changes -> pool.view.apply(changes, ticker.micros()),
                failure -> listener.storeError("changes", failure));
    }

    /** Somebody has changed something of the chain: this instance need not find out at its next tick only. */
    private void announced(int chain) {
        PoolRuntime pool = routes.ofChain(chain);
        if (pool != null && !closed) {
            pool.feed.announced(ticker, alarm, () -> catchUp(pool));
        }
    }

    private void whenDue(PoolRuntime pool, Due due) {
        pool.nextDueMicros = due.nextMicros();
        for (Due.Expired expired : due.expired()) {
            pool.view.expired(expired.slot(), expired.target(), expired.live(), expired.revision());
            Address address = pool.view.address(expired.slot());
            if (address != null) {
                listener.expired(expired.leaseId(), pool.name, address.id());
            }
            room.wake(pool.chain, expired.target());
        }
        for (Due.Wait wait : due.waits()) {
            String target = wait.target() == 0 ? null : routes.targetName(wait.target());
            Case subject = new Case(pool, wait.slot(), wait.target(), target);
            if (wait.row().standing().hold().banOver(due.nowMicros())) {
                orders.banOver(subject, wait.row(), due.nowMicros());
            } else {
                judge.whenDue(subject, wait.row(), due.nowMicros());
            }
        }
    }

    /** Neither people's orders nor a shorter list ask for a budget: where they leave too few, the dead serve again. */
    private void keepTheFloor(PoolRuntime pool, long now) {
        for (int slot : pool.view.neededFromTheDead()) {
            Standing standing = pool.view.standing(slot, 0);
            if (standing != null) {
                judge.whenNeeded(new Case(pool, slot, 0, null), standing, now);
            }
        }
    }

    /** Stops ticking. What waits in line is still answered by the alarm, as long as that rings. */
    public void close() {
        closed = true;
    }

    // ---- for people and metrics

    /** One pool as this instance sees it. */
    public record PoolStatus(PoolSettings settings, List<AddressStatus> addresses) {}

    /** Every pool, in the order of the configuration. */
    public List<PoolStatus> pools() {
        List<PoolStatus> all = new ArrayList<>();
        routes.pools.values().forEach(pool -> all.add(new PoolStatus(pool.settings(), pool.view.addresses())));
        return all;
    }

    /** Requests that are held up, for a slot or in line. */
    public int waiting() {
        return waiters.total();
    }

    /** The same by the rule that holds them; {@code none} for those who wait for an address. */
    public Map<String, Integer> waitingByRule() {
        return waiters.byRule();
    }

    /** Live sessions of a pool. */
    public CompletionStage<Integer> sessions(String pool) {
        return store.sessions(routes.pool(pool).chain);
    }

    /**
     * One live session, for people.
     *
     * @param key a hash of tenant and session key, from which neither can be read
     * @param servedBy the pool of its address: its own, or a fallback
     * @param addressId its address, or null where that is in no list any more
     */
    public record SessionStatus(
            long key,
            String servedBy,
            @Nullable String addressId,
            int leases,
            long expiresAtMicros,
            SessionRow.State state) {}

    /** Some sessions of a pool; {@code next} begins the next page, and is negative after the last. */
    public record SessionsStatus(List<SessionStatus> sessions, long next) {
        public SessionsStatus {
            sessions = List.copyOf(sessions);
        }
    }

    /**
     * Live sessions of a pool, a page at a time.
     *
     * @param pool its name; null means the first of the configuration
     * @param from 0, or what the page before gave as {@code next}
     */
    public CompletionStage<SessionsStatus> sessions(@Nullable String pool, long from, int max) {
        return store.sessionPage(routes.pool(pool).chain, from, max)
                .thenApply(page -> new SessionsStatus(
                        page.rows().stream().map(this::status).toList(), page.next()));
    }

    private SessionStatus status(SessionRow row) {
        PoolRuntime pool = routes.ofChain(row.chain());
        Address address = pool == null || !row.present() ? null : pool.view.address(row.slot());
        return new SessionStatus(
                row.key(),
                pool == null ? "" : pool.name,
                address == null ? null : address.id(),
                row.live(),
                row.expiresAtMicros(),
                row.state());
    }

    /** The pool of a chain; null where a reload has removed it. */
    @Nullable
    PoolRuntime ofChain(int chain) {
        return routes.ofChain(chain);
    }

    /** Everything known of an address, in every pool that has it; empty where none does. */
    public CompletionStage<List<Inspection>> inspect(String address) {
        return new Inspector(store, ticker).address(routes, address);
    }

    /**
     * Where a session lives; empty where it does not. The pool null means the first of the configuration.
     *
     * @throws IllegalArgumentException where there is no such pool
     */
    public CompletionStage<Optional<Inspection.Binding>> inspectSession(
            String tenant, @Nullable String pool, String session) {
        Routes current = routes;
        PoolRuntime asked = current.ofTenant(tenant).pool(pool);
        return new Inspector(store, ticker).session(current, asked, sessionKey(tenant, session));
    }

    public GateConfig config() {
        return routes.config;
    }

    /** The key under which the store knows a session. */
    public static long sessionKey(String tenant, String session) {
        return hash(tenant + '\0' + session);
    }

    static long hash(String text) {
        return Hashing.komihash5_0().hashCharsToLong(Objects.requireNonNull(text));
    }
}
