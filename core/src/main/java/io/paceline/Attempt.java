package io.paceline;

import io.paceline.Choice.Way;
import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.FairLine.Place;
import io.paceline.Request.Hold;
import io.paceline.Request.Priority;
import io.paceline.Routes.Route;
import io.paceline.WaitingRoom.Line;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Quota;
import io.paceline.pace.TargetPace;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.Preference;
import io.paceline.pool.Query;
import io.paceline.pool.Strategy;
import io.paceline.pool.TaskSettings;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.SessionClaim;
import io.paceline.store.SessionClaim.Caps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The way of one request from question to answer.
 *
 * <pre>
 *              propose candidates from the view
 *   ask store ----------------------------------&gt; Granted       answer
 *       ^                                    |--&gt; Reserved      wait for the slot with a ticket, ask again (or answer)
 *       |                                    |--&gt; Later         wait until then, ask again
 *       |                                    |--&gt; Busy          learn, ask again (three times), then wait in line, or ask
 *       |                                    |                 the fallback pool, or refuse
 *       |                                    |--&gt; Full          wait in line (concurrency) or refuse
 *       |                                    '--&gt; Session...    refuse
 *       '---- alarm, or a lease has ended
 * </pre>
 *
 * <p>One thread at a time runs an attempt: whoever completes the store's answer, the alarm, or whoever ends a lease.
 */
final class Attempt {
    /** Proposals that the store is asked for before the attempt waits or refuses. */
    private static final int TRIES = 3;

    private static final int PROPOSALS = 2;
    /** Where limits differ from address to address, being out of one's turn is common. */
    private static final int PROPOSALS_PER_ADDRESS = 4;
    /** The last try names many: quality no longer counts, only whether anybody is free. */
    private static final int WIDE_PROPOSALS = 32;

    private final EmbeddedGatekeeper gate;
    private final Request request;
    private final @Nullable Duration crawlDelay;
    private final long startedAtMicros;
    // What the configuration says, read again before the store is asked wherever that has changed meanwhile.
    private Routes routes;
    private Route route;
    private Offer own;
    private List<PoolRuntime> fallbacks;
    private @Nullable SessionClaim claim;
    private List<Charge> charges;

    private final CompletableFuture<Decision> answer = new CompletableFuture<>();
    /** Set while the store is being asked: a second waker must not ask too. */
    private final AtomicBoolean asking = new AtomicBoolean();

    /** The rule that it waits for at the moment, or {@link Waiters#NO_RULE}; null while it does not wait. */
    private volatile @Nullable String waitsFor;

    /** How often the store was asked for an address in a row; whoever asks hands it on by {@link #asking}. */
    private int tries;

    private volatile long ticket;
    private volatile @Nullable Line line;
    /** The refusal that is told if the wait in line ends in vain. */
    private volatile @Nullable Refused inVain;
    /** Whose address is waited for in line; null where a limit is, or the address of a session. */
    private volatile @Nullable Offer offerInLine;
    /** The first place in the order of pools that may still serve: grows as pools are given up. */
    private volatile int from;

    /**
     * One of the pools that may serve, and what it is asked for.
     *
     * @param place 0 for the request's own pool, then its fallbacks in order
     */
    private record Offer(PoolRuntime pool, Query query, int place) {
        /** Somebody who fits is in service, be it at its cap. */
        boolean serves() {
            return pool.view.anyInService(query);
        }
    }

    /** What the store is asked for. */
    private record Proposal(Offer offer, List<Candidate> candidates, Purpose purpose) {
        boolean probe() {
            return purpose == Purpose.PROBE;
        }
    }

    /**
     * @param route where the request leads by {@code routes}, without the crawl delay
     * @param crawlDelay what the site's robots.txt asks for besides; null for nothing
     * @throws IllegalArgumentException where the request names a pool that does not exist
     */
    Attempt(
            EmbeddedGatekeeper gate,
            Request request,
            Routes routes,
            Route route,
            @Nullable Duration crawlDelay,
            long nowMicros) {
        this.gate = gate;
        this.request = request;
        this.crawlDelay = crawlDelay;
        this.startedAtMicros = nowMicros;
        this.routes = routes;
        PoolRuntime pool = poolOf(request, routes, route);
        this.route = RobotsGate.at(route, crawlDelay);
        this.fallbacks = routes.fallbacks(pool);
        this.claim = claim(request, pool, fallbacks);
        this.own = new Offer(pool, query(request, pool.settings(), this.route, claim), 0);
        this.charges = charges(request, this.route);
    }

    /** The request's pool is the one that it names, else its target's. */
    static PoolRuntime poolOf(Request request, Routes routes, Route route) {
        return request.pool() == null ? route.pool() : routes.pool(request.pool());
    }

    private static List<Charge> charges(Request request, Route route) {
        return route.plan()
                .charges(
                        request.tenant(),
                        request.clientId(),
                        request.session(),
                        request.priority() == Priority.LOW,
                        request.cost());
    }

    /**
     * Goes by the configuration of this moment. Whoever has waited since before a reload would else ask by its old limits,
     * and a bucket that is asked by two rules in turn is counted anew each time.
     *
     * @return false where the request's pool is gone
     */
    private boolean upToDate() {
        Routes latest = gate.routes().of(request);
        if (latest == routes) {
            return true;
        }
        Route bare = latest.of(request.target());
        if (request.pool() != null && !latest.pools.containsKey(request.pool())) {
            return false;
        }
        PoolRuntime pool = poolOf(request, latest, bare);
        routes = latest;
        route = RobotsGate.at(bare, crawlDelay);
        fallbacks = latest.fallbacks(pool);
        claim = claim(request, pool, fallbacks);
        own = new Offer(pool, query(request, pool.settings(), route, claim), 0);
        charges = charges(request, route);
        from = 0;
        return true;
    }

    private static @Nullable SessionClaim claim(Request request, PoolRuntime pool, List<PoolRuntime> fallbacks) {
        if (request.session() == null) {
            return null;
        }
        PoolSettings settings = pool.settings();
        List<Caps> caps = new ArrayList<>(1 + fallbacks.size());
        caps.add(caps(pool));
        fallbacks.forEach(fallback -> caps.add(caps(fallback)));
        return new SessionClaim(
                pool.chain,
                EmbeddedGatekeeper.sessionKey(request.tenant(), request.session()),
                (request.sessionTtl() != null
                                        ? request.sessionTtl()
                                        : settings.session().ttl())
                                .toNanos()
                        / 1_000,
                settings.session().mode() == io.paceline.pool.SessionSettings.Mode.SLIDING,
                settings.session().onAddressDeath(),
                EmbeddedGatekeeper.SESSION_LOST_AFTER_OUT_MICROS,
                caps);
    }

    private static Caps caps(PoolRuntime pool) {
        return new Caps(pool.chain, pool.settings().maxLeases(), pool.settings().maxLeasesPerTarget());
    }

    private static Query query(Request request, PoolSettings settings, Route route, @Nullable SessionClaim claim) {
        TaskSettings task = request.task() == null ? null : settings.tasks().get(request.task());
        long key;
        if (claim != null) {
            key = claim.key();
        } else {
            key = request.clientId().isEmpty() ? route.target().hash() : EmbeddedGatekeeper.hash(request.clientId());
        }
        return new Query(
                task == null || task.strategy() == null ? settings.strategy() : task.strategy(),
                request.tags(),
                Preference.order(request.tags(), task == null ? Map.of() : task.prefer(), route.prefer()),
                route.target().hash(),
                key,
                request.exclude(),
                claim != null,
                request.count());
    }

    CompletableFuture<Decision> start() {
        Charge tooSmall = request.cost() == 1 ? null : tooSmall();
        if (tooSmall != null) {
            refuse(Reason.COST_ABOVE_LIMIT, -1, tooSmall.rule(), aboveLimit(tooSmall));
            return answer;
        }
        if (gate.room.waiting() == 0 || request.hold() == Hold.NEVER || !joinTheirLine()) {
            ask(startedAtMicros);
        }
        return answer;
    }

    /** The first limit that never has as much at once as the request costs; null where all do. */
    private @Nullable Charge tooSmall() {
        for (Charge charge : charges) {
            if (charge.neverFits() && !charge.dryRun()) {
                return charge;
            }
        }
        return null;
    }

    private static String aboveLimit(Charge charge) {
        return "cost " + charge.cost() + " is above the " + charge.spec().mostAtOnce() + " that rule " + charge.rule()
                + (charge.isLow() ? " grants at once to low priority" : " grants at once")
                + ": no wait helps; ask for less, or give the rule a higher burst or limit";
    }

    /** Begins with a ticket that another attempt has paid for. */
    CompletableFuture<Decision> redeem(long paidTicket) {
        ticket = paidTicket;
        ask();
        return answer;
    }

    // ---- asking

    private void ask() {
        ask(gate.ticker.micros());
    }

    private void ask(long now) {
        if (!asking.compareAndSet(false, true)) {
            return;
        }
        if (upToDate()) {
            ask(1, now);
        } else {
            asking.setRelease(false);
            refuse(Reason.NO_ADDRESS, -1, null, "pool " + request.pool() + " was removed from the configuration");
        }
    }

    private void ask(int attempt, long now) {
        long leaseId = gate.random.nextLong();
        tries = attempt;
        Proposal proposal = propose(attempt, now);
        PoolRuntime pool = proposal.offer().pool();
        Admission admission = new Admission(
                leaseId,
                proposal.purpose(),
                pool.chain,
                route.target().hash(),
                pool.incidents.charges(route.target().hash(), charges),
                proposal.candidates(),
                claim,
                proposal.probe() ? 1 : request.count(),
                request.lease() ? pool.settings().leaseTtl().toNanos() / 1_000 : 0,
                Math.max(0, patience(Long.MAX_VALUE) - (now - startedAtMicros)),
                ticket);
        CompletionStage<Admitted> asked = gate.store.admit(admission);
        Admitted known = Stages.known(asked);
        if (known != null) {
            answered(known, attempt, proposal);
        } else {
            asked.whenComplete((admitted, failure) -> {
                if (failure == null) {
                    answered(admitted, attempt, proposal);
                } else {
                    gate.abandon(admission, failure);
                    asking.setRelease(false);
                    refuse(Reason.STORE_UNAVAILABLE, 1_000_000, null, "the shared state cannot be reached");
                }
            });
        }
    }

    private void answered(Admitted admitted, int attempt, Proposal proposal) {
        if (admitted instanceof Admitted.Busy busy && (proposal.probe() || attempt < TRIES)) {
            learn(busy, proposal.offer());
            ask(proposal.probe() ? attempt : attempt + 1, gate.ticker.micros());
        } else {
            asking.setRelease(false);
            take(admitted, proposal);
        }
    }

    private void learn(Admitted.Busy busy, Offer offer) {
        offer.pool().view.refused(route.target().hash(), busy.rows(), busy.nowMicros());
    }

    /** From the first pool in which somebody who fits is in service; where nobody is, from the first, so that limits speak. */
    private Proposal propose(int attempt, long now) {
        int first = from;
        for (int place = first; place < fallbacks.size(); place++) {
            Offer offer = offer(place);
            Proposal proposal = propose(offer, attempt, now);
            if (!proposal.candidates().isEmpty() || offer.serves()) {
                return proposal;
            }
        }
        Proposal last = propose(offer(fallbacks.size()), attempt, now);
        boolean none = last.candidates().isEmpty()
                && last.offer().place() > first
                && !last.offer().serves();
        return none ? new Proposal(offer(first), List.of(), Purpose.SERVE) : last;
    }

    private Proposal propose(Offer offer, int attempt, long now) {
        boolean mayProbe = attempt == 1 && claim == null && ticket == 0 && request.lease();
        Candidate probe = mayProbe ? offer.pool().view.probe(offer.query(), now) : null;
        if (probe != null) {
            return new Proposal(offer, List.of(probe), Purpose.PROBE);
        }
        int most;
        if (route.plan().perAddress() || route.pausesAddresses()) {
            most = attempt == 1 ? PROPOSALS_PER_ADDRESS : WIDE_PROPOSALS;
        } else {
            most = attempt == TRIES ? WIDE_PROPOSALS : claim != null ? 2 * PROPOSALS : PROPOSALS;
        }
        most = Math.min(Admission.MAX_CANDIDATES, Math.max(most, request.count()));
        List<Candidate> candidates = offer.pool().view.propose(offer.query(), most, gate.random, now);
        return candidates.isEmpty() && mayPanic(offer)
                ? panic(offer, now)
                : new Proposal(offer, candidates, Purpose.SERVE);
    }

    /** Nobody's session begins on an address that would pause it at the next request. */
    private boolean mayPanic(Offer offer) {
        return offer.pool().settings().quarantine().panic() && claim == null;
    }

    private Proposal panic(Offer offer, long now) {
        List<Candidate> candidates = offer.pool().view.panic(offer.query(), WIDE_PROPOSALS, now);
        return new Proposal(offer, candidates, candidates.isEmpty() ? Purpose.SERVE : Purpose.PANIC);
    }

    private Offer offer(int place) {
        if (place == 0) {
            return own;
        }
        PoolRuntime pool = fallbacks.get(place - 1);
        return new Offer(pool, query(request, pool.settings(), route, claim), place);
    }

    /** The wait that the request accepts, in microseconds; {@code absent} where it does not say. */
    private long patience(long absent) {
        return request.maxWait() == null ? absent : request.maxWait().toNanos() / 1_000;
    }

    // ---- what the store said

    private void take(Admitted admitted, Proposal proposal) {
        if (admitted instanceof Admitted.Granted granted) {
            granted(granted, proposal);
        } else if (admitted instanceof Admitted.Reserved reserved) {
            reserved(reserved);
        } else if (admitted instanceof Admitted.Later later) {
            later(later);
        } else if (admitted instanceof Admitted.Full full) {
            full(full);
        } else if (admitted instanceof Admitted.Busy busy) {
            learn(busy, proposal.offer());
            busy(busy, proposal.offer());
        } else if (admitted instanceof Admitted.SessionBusy busy) {
            Refused refusal = new Refused(Reason.NO_ADDRESS, -1, null, "the session's address is at its cap");
            waitForOwn(busy.chain(), busy.nowMicros(), refusal);
        } else if (admitted instanceof Admitted.SessionMoving moving) {
            Refused refusal = new Refused(
                    Reason.SESSION_PAUSED,
                    Math.max(0, moving.untilMicros() - moving.nowMicros()),
                    null,
                    "the session moves to another address once its running requests have ended");
            waitForOwn(moving.chain(), moving.nowMicros(), refusal);
        } else if (admitted instanceof Admitted.SessionPaused paused) {
            long wait = paused.untilMicros() == 0 ? -1 : Math.max(0, paused.untilMicros() - paused.nowMicros());
            refuse(Reason.SESSION_PAUSED, wait, null, "the session's address is in quarantine, frozen or gone");
        } else if (admitted instanceof Admitted.SessionEnded) {
            refuse(Reason.SESSION_ENDED, -1, null, "the session's address is gone: end the session, then begin anew");
        } else if (admitted instanceof Admitted.Elsewhere elsewhere) {
            refuse(
                    Reason.ELSEWHERE,
                    -1,
                    null,
                    elsewhere.what() + " belongs to instance " + elsewhere.instance() + ": ask there");
        } else if (admitted instanceof Admitted.TicketEarly early) {
            waitForSlot(early.atMicros(), early.binding());
        } else {
            ticketGone();
        }
    }

    private void granted(Admitted.Granted granted, Proposal proposal) {
        List<Lease> leases = leases(granted, proposal);
        if (!granted.dryRunRefusals().isEmpty()) {
            granted.dryRunRefusals().forEach(gate.listener::dryRunRefusal);
        }
        if (!granted.nearLimits().isEmpty()) {
            granted.nearLimits()
                    .forEach(
                            rule -> gate.listener.nearLimit(rule, route.target().name()));
        }
        if (leases.isEmpty()) {
            refuse(Reason.NO_ADDRESS, -1, null, "the address was removed");
        } else {
            if (gate.listener.wantsChoices()) {
                explain(leases, proposal);
            }
            finish(new Granted(leases));
        }
    }

    private void explain(List<Lease> leases, Proposal proposal) {
        Offer offer = proposal.offer();
        Choice choice = new Choice(
                way(proposal),
                offer.pool().name,
                offer.query().strategy(),
                offer.pool().view.described(proposal.candidates()),
                tries);
        leases.forEach(lease -> gate.listener.chosen(lease, choice));
    }

    private Way way(Proposal proposal) {
        return switch (proposal.purpose()) {
            case PROBE -> Way.PROBE;
            case PANIC -> Way.PANIC;
            case SERVE -> claim != null ? Way.SESSION : proposal.offer().place() > 0 ? Way.FALLBACK : Way.STRATEGY;
        };
    }

    /** Those whose address is still there: of one that a reload removed at this very moment the lease ends by itself. */
    private List<Lease> leases(Admitted.Granted granted, Proposal proposal) {
        List<Admitted.Grant> grants = granted.grants();
        if (grants.size() == 1) {
            Lease only = lease(grants.get(0), proposal, granted.nowMicros());
            return only == null ? List.of() : List.of(only);
        }
        List<Lease> leases = new ArrayList<>(grants.size());
        for (Admitted.Grant grant : grants) {
            Lease lease = lease(grant, proposal, granted.nowMicros());
            if (lease != null) {
                leases.add(lease);
            }
        }
        return leases;
    }

    private @Nullable Lease lease(Admitted.Grant grant, Proposal proposal, long nowMicros) {
        PoolRuntime asked = proposal.offer().pool();
        PoolRuntime pool = grant.chain() == asked.chain ? asked : gate.ofChain(grant.chain());
        Address address =
                pool == null ? null : pool.view.granted(grant.slot(), grant.live(), grant.revision(), nowMicros);
        if (pool == null || address == null) {
            return null;
        }
        long target = route.target().hash();
        LeaseId id = request.lease()
                ? new LeaseId(grant.leaseId(), pool.chain, grant.slot(), target, grant.expiresAtMicros())
                : null;
        return new Lease(
                id,
                address,
                route.target(),
                pool.name,
                request.session(),
                grant.grantedAtMicros(),
                grant.expiresAtMicros(),
                proposal.probe(),
                proposal.purpose() == Purpose.PANIC,
                grant.migrated(),
                request.tenant(),
                route.headers());
    }

    private void reserved(Admitted.Reserved reserved) {
        if (held(reserved.binding())) {
            ticket = reserved.ticket();
            if (gate.waiters.total() < EmbeddedGatekeeper.MAX_WAITING) {
                waitForSlot(reserved.atMicros(), reserved.binding());
            } else {
                queueFull(reserved.binding().rule());
            }
        } else {
            String name = gate.keepTicket(request, reserved);
            if (name == null) {
                gate.store.giveBack(reserved.ticket());
                refuse(Reason.QUEUE_FULL, 1_000_000, reserved.binding().rule(), "as many tickets are out as may");
                return;
            }
            finish(new Decision.Reserved(
                    name,
                    reserved.atMicros(),
                    reserved.useByMicros(),
                    reserved.binding().rule()));
        }
    }

    /** Whether the caller stays until the slot of this limit has come, or is answered at once. */
    private boolean held(Charge binding) {
        return request.hold() == Hold.ALWAYS || (request.hold() == Hold.BY_RULE && !binding.reserves());
    }

    private void waitForSlot(long atMicros, Charge binding) {
        leaveLine();
        waitsFor(binding.rule());
        gate.alarm.at(atMicros, this::ask);
    }

    private void waitsFor(@Nullable String rule) {
        if (rule == null && waitsFor == null) {
            return;
        }
        synchronized (this) {
            gate.waiters.move(waitsFor, rule);
            waitsFor = rule;
        }
    }

    private void later(Admitted.Later later) {
        long waited = later.nowMicros() - startedAtMicros;
        long wait = later.atMicros() - later.nowMicros();
        boolean full = gate.waiters.total() >= EmbeddedGatekeeper.MAX_WAITING;
        if (held(later.binding()) && waited + wait <= accepted(later.binding()) && !full) {
            waitForSlot(later.atMicros(), later.binding());
        } else {
            refuse(reason(later.binding()), wait, later.binding().rule(), overLimit(later.binding()));
        }
    }

    /** No address is free; where some are held back by a limit of their own alone, that limit is what is waited for. */
    private void busy(Admitted.Busy busy, Offer offer) {
        Admitted.Full limited = busy.limited();
        if (limited == null) {
            noAddress(offer, busy.nowMicros());
        } else if (limited.atMicros() >= 0 && limited.atMicros() - startedAtMicros <= accepted(limited.binding())) {
            later(new Admitted.Later(limited.binding(), limited.atMicros(), busy.nowMicros()));
        } else if (limited.atMicros() >= 0 && patience(0) > 0 && !busy.rows().isEmpty()) {
            // Other addresses are in use, and the request may wait for one of those.
            Refused refusal = rateLimited(limited);
            waitOrRefuse(addressLine(offer), offer, startedAtMicros + patience(0), busy.nowMicros(), refusal);
        } else if (!fallsBack(offer)) {
            full(limited);
        }
    }

    private void full(Admitted.Full full) {
        Charge binding = full.binding();
        long wait = full.atMicros() - full.nowMicros();
        if (ticket != 0
                && full.atMicros() >= 0
                && held(binding)
                && full.nowMicros() - startedAtMicros + wait <= accepted(binding)) {
            waitForSlot(full.atMicros(), binding); // paid in part: the rest of what it needs comes a little later
        } else if (!binding.isRate()) {
            Refused refusal = new Refused(reason(binding), -1, binding.rule(), overLimit(binding));
            long until = held(binding) ? startedAtMicros + accepted(binding) : full.nowMicros();
            waitOrRefuse(limitLine(binding), null, until, full.nowMicros(), refusal);
        } else {
            finish(rateLimited(full));
        }
    }

    private Refused rateLimited(Admitted.Full full) {
        return new Refused(
                reason(full.binding()),
                Math.max(full.hintMicros(), full.atMicros()) - full.nowMicros(),
                full.binding().rule(),
                overLimit(full.binding()));
    }

    private long accepted(Charge charge) {
        return Math.min(charge.maxWaitMicros(), patience(Long.MAX_VALUE));
    }

    private static Reason reason(Charge charge) {
        return Quota.isName(charge.rule()) ? Reason.QUOTA_EXCEEDED : Reason.RATE_LIMITED;
    }

    private String overLimit(Charge charge) {
        if (Quota.isName(charge.rule())) {
            return Quota.used(charge, request.tenant());
        }
        if (!(charge.spec() instanceof LimitSpec.Pace)) {
            return "rule " + charge.rule() + " is at its limit";
        }
        return switch (charge.rule()) {
            case TargetPace.ADAPTIVE -> "the target's adaptive pace is at its limit";
            case TargetPace.SLOWED -> "the target is slowed down until it recovers";
            default -> "the target asked for a pause";
        };
    }

    /** Waits for an address of this pool as long as the caller likes, then looks at the fallbacks, then refuses. */
    private void noAddress(Offer offer, long nowMicros) {
        boolean hopeless = !offer.pool().view.anyFor(offer.query());
        long back = offer.pool().view.firstReturnMicros().orElse(-1L);
        long until = startedAtMicros + patience(0);
        // Nobody waits in vain: not for what cannot be, and not for a pool that is out for longer than he would wait.
        boolean waits = request.hold() != Hold.NEVER && !hopeless && back <= until && until > nowMicros;
        if (waits || !fallsBack(offer)) {
            waitOrRefuse(addressLine(offer), offer, waits ? until : nowMicros, nowMicros, refusal(nowMicros));
        }
    }

    /** Asks the next pool in which somebody who fits is in service; false where there is none. */
    private boolean fallsBack(Offer offer) {
        int next = fallbackAfter(offer);
        if (next < 0) {
            return false;
        }
        leaveLine();
        from = next;
        ask();
        return true;
    }

    /** The place of the next pool in which somebody who fits is in service, or -1. */
    private int fallbackAfter(Offer offer) {
        for (int place = offer.place() + 1; place <= fallbacks.size(); place++) {
            if (offer(place).serves()) {
                return place;
            }
        }
        return -1;
    }

    /** Speaks of the request's own pool, whoever was asked last. */
    private Refused refusal(long nowMicros) {
        PoolRuntime pool = own.pool();
        boolean hopeless = !pool.view.anyFor(own.query());
        String message;
        if (pool.view.size() == 0) {
            message = "pool " + pool.name + " has no addresses";
        } else if (hopeless && !request.exclude().isEmpty()) {
            message = "every address of pool " + pool.name + " that fits was tried";
        } else if (hopeless) {
            message = "no address of pool " + pool.name + " carries the tags asked for";
        } else {
            message = "every address of pool " + pool.name + " that fits is in use or out of service";
        }
        if (!fallbacks.isEmpty()) {
            message += ", and no fallback can serve";
        }
        long back = pool.view.firstReturnMicros().orElse(-1L);
        long wait = hopeless || back < 0 ? -1 : Math.max(0, back - nowMicros);
        return new Refused(Reason.NO_ADDRESS, wait, null, message);
    }

    /** The session's own address will do, and no other. */
    private void waitForOwn(int chain, long nowMicros, Refused refusal) {
        Line wanted = ownAddressLine(chain, own.query().key());
        waitOrRefuse(wanted, null, startedAtMicros + patience(0), nowMicros, refusal);
    }

    private void ticketGone() {
        if (ticket != 0
                && request.hold() != Hold.NEVER
                && patience(Long.MAX_VALUE) > gate.ticker.micros() - startedAtMicros) {
            ticket = 0; // the alarm came too late: begin again, in time still
            ask();
        } else {
            refuse(Reason.TICKET_EXPIRED, -1, null, "the ticket is unknown, used or too old: ask again without it");
        }
    }

    // ---- waiting in line

    private Line addressLine(Offer offer) {
        // By hash, a key has an address of its own; a session does so from its first lease on only.
        int chain = offer.pool().chain;
        return claim == null && offer.query().strategy() == Strategy.HASH
                ? ownAddressLine(chain, offer.query().key())
                : new Line(chain, request.tags().hashCode(), route.target().hash());
    }

    /** Who waits for one certain address must not stand in the way of those whom any would serve. */
    private Line ownAddressLine(int chain, long key) {
        return new Line(chain, key, route.target().hash());
    }

    private Line limitLine(Charge charge) {
        return new Line(0, charge.hash(), route.target().hash());
    }

    /** Where others wait already for something that this request needs, it takes its place behind them. */
    private boolean joinTheirLine() {
        for (Charge charge : charges) {
            if (!charge.isRate() && !charge.dryRun() && held(charge) && accepted(charge) > 0) {
                Line theirs = limitLine(charge);
                if (gate.room.hasLine(theirs)) {
                    Refused refusal = new Refused(Reason.RATE_LIMITED, -1, charge.rule(), overLimit(charge));
                    return waitInLine(theirs, null, startedAtMicros + accepted(charge), refusal);
                }
            }
        }
        if (claim != null || patience(0) == 0 || !gate.room.hasLine(addressLine(own))) {
            return false;
        }
        Refused refusal = new Refused(Reason.NO_ADDRESS, -1, null, "others have waited longer for an address");
        return waitInLine(addressLine(own), own, startedAtMicros + patience(0), refusal);
    }

    /** @param offer whose address is waited for; null where it is a limit, or the address of a session */
    private void waitOrRefuse(Line wanted, @Nullable Offer offer, long untilMicros, long nowMicros, Refused refusal) {
        if (wanted.equals(line)) {
            inVain = refusal;
        } else if (request.hold() == Hold.NEVER || untilMicros <= nowMicros) {
            finish(refusal);
        } else if (!waitInLine(wanted, offer, untilMicros, refusal)) {
            queueFull(refusal.rule());
        }
    }

    private void queueFull(@Nullable String rule) {
        refuse(Reason.QUEUE_FULL, 1_000_000, rule, "as many callers wait already as may");
    }

    private boolean waitInLine(Line wanted, @Nullable Offer offer, long untilMicros, Refused refusal) {
        leaveLine();
        inVain = refusal;
        offerInLine = offer;
        line = wanted;
        if (!gate.room.join(this, wanted)) {
            line = null;
            return false;
        }
        waitsFor(refusal.rule() == null ? Waiters.NO_RULE : refusal.rule());
        gate.alarm.at(untilMicros, () -> timeUp(wanted));
        return true;
    }

    private void timeUp(Line waitedIn) {
        Refused refusal = inVain;
        if (!waitedIn.equals(line) || refusal == null) {
            return;
        }
        Offer offer = offerInLine;
        if (offer == null || !fallsBack(offer)) {
            finish(refusal);
        }
    }

    /** Where it stands in a line. */
    Place place() {
        return new Place(request.priority(), request.tenant(), request.clientId());
    }

    /** Whose turn it is among the heads of several lines. */
    long startedAtMicros() {
        return startedAtMicros;
    }

    /** Tries out of turn of the alarm; true where the answer came at once, so that the next in line may try. */
    boolean tryFromLine() {
        ask();
        return answer.isDone();
    }

    private void leaveLine() {
        Line left = line;
        if (left != null) {
            line = null;
            gate.room.leave(this, left);
        }
    }

    // ---- the answer

    private void refuse(Reason reason, long waitMicros, @Nullable String rule, String message) {
        finish(new Refused(reason, waitMicros, rule, message));
    }

    private void finish(Decision decision) {
        leaveLine();
        waitsFor(null);
        if (ticket != 0 && decision instanceof Refused refused && refused.reason() != Reason.TICKET_EXPIRED) {
            gate.store.giveBack(ticket);
        }
        if (answer.complete(decision)) {
            String pool = decision instanceof Granted granted ? granted.lease().pool() : own.pool().name;
            gate.listener.decided(request, pool, decision, startedAtMicros, gate.ticker.micros());
        } else if (decision instanceof Granted late) {
            // Answered meanwhile, because its time was up: nobody will use these.
            late.leases().forEach(gate::cancel);
        }
    }
}
