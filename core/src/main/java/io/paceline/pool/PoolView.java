package io.paceline.pool;

import io.paceline.Address;
import io.paceline.Choice;
import io.paceline.Kin;
import io.paceline.health.Ejection;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pool.Cells.Cell;
import io.paceline.store.Admitted.CandidateRow;
import io.paceline.store.Candidate;
import io.paceline.store.Changes;
import io.paceline.store.Enrolled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A pool as one instance sees it: who is in it, who could be leased, at what weight. It only proposes; the store decides.
 * What it knows may be a second or two old, which costs quality, never safety.
 *
 * <p>Thread-safe: one lock of its own, held for arithmetic only and never while the store's is.
 */
public final class PoolView {
    /** Pairs of tags and order that are kept at once; the one not asked for longest is built anew when it comes again. */
    private static final int MAX_GROUPS = 256;

    /** How long a member is passed over that the store found taken by another instance. */
    private static final long DOUBT_MICROS = 1_000_000;

    /**
     * How long addresses of the own share come first once another instance was met. Not always, or all requests of an instance
     * that alone is asked would go out by its share of the addresses; and a meeting every ten seconds costs nothing.
     */
    private static final long HOME_MICROS = 10_000_000;

    /** A slow start is a staircase of this many steps. */
    private static final int RAMP_STEPS = 20;

    /** Of the requests that may serve as a probe, every fourth does while something is half-open: fewer for what relapses. */
    private static final double PROBE_SHARE = 0.25;

    /** An address is never weighed up or down by more than this for its latency. */
    private static final double LATENCY_SPAN = 4;

    private static final double NEWEST_LATENCY = 1.0 / 64;

    private final Affinity affinity = new Affinity();
    private final Map<GroupKey, Group> groups = new LinkedHashMap<>(16, 0.75f, true);
    private final Cells cells = new Cells();
    private final Set<Member> ramping = new LinkedHashSet<>();
    private final Set<Member> halfOpen = new LinkedHashSet<>();
    /** Members of which another instance was found to hold leases: believed until the time given. */
    private final Map<Member, Long> doubted = new LinkedHashMap<>();

    /** Members that are out until a time that is known, by that time: every refusal asks for the first. */
    private final TreeSet<Member> waiting =
            new TreeSet<>(Comparator.comparingLong((Member member) -> member.standing.returnMicros())
                    .thenComparingInt(member -> member.slot));

    private final ProbePlan probes = new ProbePlan();
    /** A control URL is alive: half-open addresses are then tested by active probes, not by somebody's request. */
    private boolean controlled;

    private Members members = new Members(0);
    /** Members in service. */
    private int serving;

    /** An address or a cell is half-open: known without the lock, since every request asks and hardly ever one is. */
    private volatile boolean anyHalfOpen;

    private volatile PoolSettings settings;
    private volatile Ejection ejection;
    private double meanLatencyMicros;
    private double probeCredit;

    /** The group asked for last, which nearly every request asks for again. */
    private @Nullable Latest latest;

    /** Which addresses are this instance's own share; null where it has the pool for itself. */
    private @Nullable Predicate<Address> home;
    /** Until then addresses of the own share are proposed first, since another instance was met lately. */
    private long homeUntilMicros = Long.MIN_VALUE;
    /** Whether the proposal that is being made goes by that. */
    private boolean goesHome;

    private record Latest(Strategy strategy, Map<String, String> tags, Group group) {}

    private record GroupKey(Strategy strategy, Map<String, String> tags) {}

    public PoolView(PoolSettings settings) {
        this.settings = settings;
        this.ejection = new Ejection(settings.health(), settings.quarantine());
    }

    /** Takes over settings and members; who stays keeps what is known of it. */
    public synchronized void configure(
            PoolSettings newSettings, List<Address> addresses, Enrolled enrolled, long nowMicros) {
        settings = newSettings;
        ejection = new Ejection(newSettings.health(), newSettings.quarantine());
        affinity.tableSize(enrolled.tableSize());
        Members before = members;
        members = new Members(addresses.size());
        groups.clear();
        latest = null;
        ramping.clear();
        halfOpen.clear();
        Map<Member, Long> doubts = new LinkedHashMap<>(doubted);
        doubted.clear();
        for (int i = 0; i < addresses.size(); i++) {
            int slot = enrolled.slots().get(i);
            Address address = addresses.get(i);
            Member known = members.at(slot) == null ? before.at(slot) : members.at(slot);
            SubjectRow row = enrolled.rows().get(i);
            Member member = known != null && known.address().id().equals(address.id())
                    ? known
                    : new Member(slot, address, row.standing());
            member.address(address);
            member.home = home == null || home.test(address);
            member.seats = null;
            members.add(member, slot);
            if (row.revision() - member.revision < 0) {
                relist(member, doubts.get(member), nowMicros); // something newer came while the store enrolled
            } else {
                learn(member, row, nowMicros);
            }
        }
        probes.outdated();
        waiting.removeIf(member -> !member.equals(members.at(member.slot)));
        serving = (int)
                members.stream().filter(member -> member.standing.inService()).count();
        cells.forgetOthers(member -> member.equals(members.at(member.slot)));
        noteHalfOpen();
    }

    /** Names the addresses that are proposed first where several instances meet; null where there is only this one. */
    public synchronized void home(@Nullable Predicate<Address> share) {
        home = share;
        members.forEach(member -> member.home = share == null || share.test(member.address()));
    }

    public PoolSettings settings() {
        return settings;
    }

    public Ejection ejection() {
        return ejection;
    }

    public synchronized int size() {
        return members.size();
    }

    public synchronized @Nullable Address address(int slot) {
        Member member = members.at(slot);
        return member == null ? null : member.address();
    }

    /** The slot of an address, or -1. */
    public synchronized int slotOf(String id) {
        Member member = members.named(id);
        return member == null ? -1 : member.slot;
    }

    // ---- proposals

    /** Candidates for the query, best first, at most {@code most}; empty where nobody could be leased. */
    public synchronized List<Candidate> propose(Query query, int most, RandomGenerator random, long nowMicros) {
        List<Member> found = new ArrayList<>(most);
        // A key's addresses follow from who is in service, never from who is busy: the store knows that, and takes the
        // next.
        long busyAtMicros = query.hashed() ? Long.MAX_VALUE : nowMicros;
        goesHome = nowMicros < homeUntilMicros && home != null && !query.hashed();
        if (query.firstOfSession()) {
            // Those who are full are named where there is room left: enough of them must not hide one who is free.
            inOrder(query, member -> member.available() && fits(member, query, busyAtMicros), most, random, found);
        }
        if (!query.hashed() && !cells.isEmpty()) {
            // Those whose cell has lost weight are named as often as it has left, as long as there are others.
            inOrder(query, member -> keepsTurn(member, query, random, nowMicros), most, random, found);
        }
        if (found.size() < most) {
            inOrder(query, member -> fits(member, query, busyAtMicros), most, random, found);
        }
        Candidate[] candidates = new Candidate[found.size()];
        for (int i = 0; i < candidates.length; i++) {
            candidates[i] = candidate(found.get(i));
        }
        return List.of(candidates);
    }

    /** First those who are preferred, then the others; by hash alone a key has one address, and nobody stands by for it. */
    private void inOrder(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        List<Map<String, String>> prefer = query.prefer();
        for (int i = 0; i < prefer.size() && found.size() < most; i++) {
            more(group(query, prefer.get(i)), query, fits, most, random, found);
            if (query.strict() && !found.isEmpty()) {
                return;
            }
        }
        if (found.size() < most) {
            more(group(query, query.tags()), query, fits, most, random, found);
        }
    }

    /** Of one group; while others take what this instance thinks free, those of its own share first. */
    private void more(
            Group group, Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        if (!goesHome) {
            add(group, query, fits, most, random, found);
            return;
        }
        add(group, query, member -> member.home && fits.test(member), most, random, found);
        if (found.size() < most) {
            add(group, query, member -> !member.home && fits.test(member), most, random, found);
        }
    }

    /** Each group orders its own proposals: a list of its own, unless it is the first that proposes anybody. */
    private static void add(
            Group group, Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        if (found.isEmpty()) {
            group.propose(query, fits, most, random, found);
        } else {
            List<Member> next = new ArrayList<>();
            List<Member> before = List.copyOf(found);
            group.propose(query, fits.and(member -> !before.contains(member)), most - found.size(), random, next);
            found.addAll(next);
        }
    }

    /** Whether somebody who fits is in service, be it free or at its cap. */
    public synchronized boolean anyInService(Query query) {
        for (Member member : members) {
            if (member.standing.inService() && matches(member, query) && cells.inService(member, query.target())) {
                return true;
            }
        }
        return false;
    }

    /**
     * A half-open address, or cell of this target, that this request may test; null for most requests. Never for sessions:
     * nobody's session is risked on a test.
     */
    public @Nullable Candidate probe(Query query, long nowMicros) {
        return anyHalfOpen ? test(query, nowMicros) : null;
    }

    private synchronized @Nullable Candidate test(Query query, long nowMicros) {
        Member tested = halfOpenFor(query, nowMicros);
        if (tested == null) {
            return null;
        }
        probeCredit += PROBE_SHARE / Math.max(1, relapses(tested, query.target()));
        if (probeCredit < 1) {
            return null;
        }
        probeCredit -= 1;
        return new Candidate(tested.slot, Math.max(1, tested.cap), settings.maxLeasesPerTarget());
    }

    private int relapses(Member tested, long target) {
        Cell cell = cells.of(tested, target);
        return tested.standing.halfOpen() || cell == null
                ? tested.standing.relapses()
                : cell.standing().relapses();
    }

    private @Nullable Member halfOpenFor(Query query, long nowMicros) {
        for (Member member : halfOpen) {
            if (!leftToProbes(member)
                    && member.live == 0
                    && matches(member, query)
                    && cellFits(member, query.target(), nowMicros)) {
                return member;
            }
        }
        for (int slot : cells.halfOpenOn(query.target())) {
            Member member = members.at(slot);
            Cell cell = member == null ? null : cells.of(member, query.target());
            if (cell != null
                    && !cell.busy(nowMicros)
                    && member != null
                    && member.available()
                    && matches(member, query)) {
                return member;
            }
        }
        return null;
    }

    /**
     * Who may be leased although it is in quarantine, or its cell is, since nobody who fits is in service: those with the
     * shortest way back first. Empty while somebody serves, be it busy.
     */
    public synchronized List<Candidate> panic(Query query, int most, long nowMicros) {
        List<Member> out = new ArrayList<>();
        for (Member member : members) {
            if (!matches(member, query)) {
                continue;
            }
            Cell cell = cells.of(member, query.target());
            boolean cellServes = cell == null || cell.standing().inService();
            if (member.standing.inService() && cellServes) {
                return List.of();
            }
            boolean reachable = (member.standing.inService() || member.standing.leasedInPanic())
                    && (cell == null || cellServes || cell.standing().leasedInPanic());
            if (reachable && member.live < settings.maxLeases()) {
                out.add(member);
            }
        }
        return out.stream()
                .sorted(Comparator.comparingLong((Member member) -> backMicros(member, query.target())))
                .limit(most)
                .map(member -> new Candidate(member.slot, settings.maxLeases(), settings.maxLeasesPerTarget()))
                .toList();
    }

    private long backMicros(Member member, long target) {
        Cell cell = cells.of(member, target);
        return Math.max(
                member.standing.returnMicros(),
                cell == null ? 0 : cell.standing().returnMicros());
    }

    /** Dead members to bring back, in list order: as many as are missing in service. */
    public synchronized List<Integer> neededFromTheDead() {
        int missing = settings.quarantine().minInService() - serving;
        if (missing <= 0) {
            return List.of();
        }
        return members.stream()
                .filter(member -> member.standing.state() == State.DEAD
                        && member.standing.hold().isNone())
                .limit(missing)
                .map(member -> member.slot)
                .toList();
    }

    /** What this instance knows of a subject's standing; of a cell that nothing is known of, that it is fresh. */
    public synchronized @Nullable Standing standing(int slot, long target) {
        Member member = members.at(slot);
        if (member == null || target == 0) {
            return member == null ? null : member.standing;
        }
        Cell cell = cells.of(member, target);
        return cell == null ? Standing.fresh(0, 0) : cell.standing();
    }

    /** No request is risked on what a probe can test. */
    private boolean leftToProbes(Member member) {
        return controlled && member.probe != null && !member.probe.leftToLeases();
    }

    private boolean fits(Member member, Query query, long nowMicros) {
        return !query.excludes(member) && cellFits(member, query.target(), nowMicros);
    }

    private boolean cellFits(Member member, long target, long nowMicros) {
        Cell cell = cells.of(member, target);
        return cell == null || (cell.standing().inService() && !cell.busy(nowMicros));
    }

    /** Fits, and where its cell has lost weight, its turn is one of those that are left to it. */
    private boolean keepsTurn(Member member, Query query, RandomGenerator random, long nowMicros) {
        if (query.excludes(member)) {
            return false;
        }
        Cell cell = cells.of(member, query.target());
        if (cell == null) {
            return true;
        }
        if (!cell.standing().inService() || cell.busy(nowMicros)) {
            return false;
        }
        double factor = ejection.weightFactor(cell.standing(), nowMicros);
        return factor >= 1 || random.nextDouble() < factor;
    }

    private static boolean matches(Member member, Query query) {
        return !query.excludes(member) && member.address().carries(query.tags());
    }

    private Candidate candidate(Member member) {
        return new Candidate(member.slot, member.cap, settings.maxLeasesPerTarget());
    }

    /** True where some member carries the tags and is not excluded, be it in service or not: something to wait for. */
    public synchronized boolean anyFor(Query query) {
        Group group = group(query, query.tags());
        int left = group.size();
        for (String id : query.exclude()) {
            Member member = members.named(id);
            left -= member != null && group.admits(member) ? 1 : 0;
        }
        return left > 0;
    }

    private Group group(Query query, Map<String, String> tags) {
        return group(query.effective() == Strategy.HASH ? Strategy.HASH : query.strategy(), tags);
    }

    private Group group(Strategy strategy, Map<String, String> tags) {
        Latest before = latest;
        if (before != null && before.strategy == strategy && before.tags.equals(tags)) {
            return before.group;
        }
        Group group = keptGroup(strategy, tags);
        latest = new Latest(strategy, tags, group);
        return group;
    }

    private Group keptGroup(Strategy strategy, Map<String, String> tags) {
        GroupKey key = new GroupKey(strategy, tags);
        Group known = groups.get(key);
        if (known != null) {
            return known;
        }
        if (groups.size() >= MAX_GROUPS) {
            Iterator<Group> oldest = groups.values().iterator();
            Group evicted = oldest.next();
            oldest.remove();
            members.forEach(member -> member.leave(evicted));
        }
        Group group = Group.of(strategy, tags, affinity);
        groups.put(key, group);
        for (Member member : members) {
            if (group.admits(member)) {
                group.seat(member);
            }
        }
        return group;
    }

    // ---- active probes

    /** Whether a control URL is alive, so that active probes test what is half-open. */
    public synchronized void controlled(boolean by) {
        controlled = by;
    }

    /**
     * Whom to probe now, at most {@code most}; each is handed out once until {@link #probed} or {@link #notProbed} tells
     * its end.
     *
     * @param probeable which addresses may be probed: never metered ones
     */
    public synchronized List<DueProbe> probesDue(
            Predicate<Address> probeable, int most, long nowMicros, RandomGenerator random) {
        return probes.due(settings.probe(), members, halfOpen, probeable, most, nowMicros, random).stream()
                .map(this::due)
                .toList();
    }

    private DueProbe due(Member member) {
        Standing standing = member.standing;
        return new DueProbe(member.slot, member.address(), standing.inService(), standing.epoch());
    }

    /**
     * A probe has ended.
     *
     * @param conclusive whether it proved anything
     * @param latencyMicros of the control URL's answer; negative where none passed
     * @return whether the address still is what it was when the probe began, so that the result speaks about it
     */
    public synchronized boolean probed(
            DueProbe probe, boolean conclusive, long latencyMicros, long nowMicros, RandomGenerator random) {
        Member member = members.at(probe.slot());
        if (member == null || member.probe == null) {
            return false;
        }
        ProbePlan.ended(member.probe, conclusive, latencyMicros, nowMicros, random);
        return member.address().id().equals(probe.address().id())
                && member.standing.epoch() == probe.epoch()
                && (member.standing.inService() || member.standing.halfOpen());
    }

    /** Another instance does it. */
    public synchronized void notProbed(DueProbe probe, long nowMicros, RandomGenerator random) {
        Member member = members.at(probe.slot());
        if (member != null && member.probe != null) {
            ProbePlan.ended(member.probe, null, -1, nowMicros, random);
        }
    }

    // ---- what the store told

    /** A lease was granted: whose, or null where a reload has removed the address at this very moment. */
    public synchronized @Nullable Address granted(int slot, int live, int revision, long nowMicros) {
        Member member = members.at(slot);
        if (member == null) {
            return null;
        }
        occupied(member, live, revision);
        member.lastUsedMicros = nowMicros;
        member.uses++;
        refresh(member);
        return member.address();
    }

    /** An outcome was added to the rows of an address and one of its cells; returns the address, null where it is gone. */
    public synchronized @Nullable Address settled(
            int slot, long target, SubjectRow address, SubjectRow cell, long nowMicros) {
        Member member = members.at(slot);
        if (member == null) {
            return null;
        }
        if (address.latencyMicros() > 0) {
            meanLatencyMicros = meanLatencyMicros == 0
                    ? address.latencyMicros()
                    : meanLatencyMicros + NEWEST_LATENCY * (address.latencyMicros() - meanLatencyMicros);
        }
        learn(member, address, nowMicros);
        learnCell(member, target, cell, nowMicros);
        if (cell.live() < settings.maxLeasesPerTarget()) {
            cells.noLongerBusy(member, target);
        }
        return member.address();
    }

    /** A standing has changed; {@code target} 0 for the address as a whole. */
    public synchronized void shifted(int slot, long target, SubjectRow row, long nowMicros) {
        Member member = members.at(slot);
        if (member != null && target == 0) {
            learn(member, row, nowMicros);
        } else if (member != null) {
            learnCell(member, target, row, nowMicros);
        }
    }

    /** Proposals were refused; the rows say why. */
    public synchronized void refused(long target, List<CandidateRow> rows, long nowMicros) {
        for (CandidateRow row : rows) {
            Member member = members.at(row.slot());
            if (member == null) {
                continue;
            }
            learn(member, row.address(), nowMicros);
            if (row.live() >= member.cap) {
                // Over all pools that it stands in: the row counts this one's alone.
                member.live = Math.max(member.live, row.live());
                refresh(member);
                doubted.put(member, nowMicros + DOUBT_MICROS);
                homeUntilMicros = nowMicros + HOME_MICROS;
            }
            learnCell(member, target, row.cell(), nowMicros);
            int mostLive = row.cell().standing().halfOpen() ? 1 : settings.maxLeasesPerTarget();
            if (row.cellLive() >= mostLive) {
                cells.busy(member, target, row.cell(), nowMicros + DOUBT_MICROS);
                homeUntilMicros = nowMicros + HOME_MICROS;
            }
        }
    }

    /** A lease ended by itself. */
    public synchronized void expired(int slot, long target, int live, int revision) {
        Member member = members.at(slot);
        if (member != null) {
            occupied(member, live, revision);
            refresh(member);
            cells.noLongerBusy(member, target);
        }
    }

    public synchronized void apply(Changes changes, long nowMicros) {
        if (changes.reset()) {
            cells.clear();
            noteHalfOpen();
        }
        for (Changes.Change change : changes.changes()) {
            if (!change.removed()) {
                shifted(change.slot(), change.target(), change.row(), nowMicros);
            }
        }
    }

    /** Moves slow starts on and forgets doubts that are over; when to come again. */
    public synchronized long tick(long nowMicros) {
        long next = Long.MAX_VALUE;
        for (Member member : List.copyOf(ramping)) {
            weigh(member, nowMicros);
            next = nowMicros + rampStepMicros();
        }
        for (Iterator<Map.Entry<Member, Long>> i = doubted.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Member, Long> doubt = i.next();
            Member member = doubt.getKey();
            if (doubt.getValue() <= nowMicros) {
                i.remove();
                member.live = Math.min(member.live, Math.max(0, member.cap - 1));
                refresh(member);
            } else {
                next = Math.min(next, doubt.getValue());
            }
        }
        cells.forgetPlain(nowMicros);
        return next;
    }

    private long rampStepMicros() {
        return Math.max(1_000, settings.health().slowStartOver().toNanos() / 1_000 / RAMP_STEPS);
    }

    private void occupied(Member member, int live, int revision) {
        if (revision - member.revision > 0) {
            member.revision = revision;
            member.live = live;
            doubted.remove(member);
        }
    }

    private void learn(Member member, SubjectRow row, long nowMicros) {
        if (row.revision() - member.revision < 0) {
            return;
        }
        stands(member, row.standing());
        member.learn(row);
        doubted.remove(member);
        listIn(ramping, member, row.standing().slowStarting());
        listIn(halfOpen, member, row.standing().halfOpen());
        noteHalfOpen();
        weigh(member, nowMicros);
    }

    /**
     * The lists and weights begin anew with each configuration, also where nothing else is to be learned from it.
     *
     * @param doubt until when another instance is believed to hold its leases; null where there is no doubt
     */
    private void relist(Member member, @Nullable Long doubt, long nowMicros) {
        listIn(ramping, member, member.standing.slowStarting());
        listIn(halfOpen, member, member.standing.halfOpen());
        if (doubt != null) {
            doubted.put(member, doubt);
        }
        weigh(member, nowMicros);
    }

    private void noteHalfOpen() {
        boolean any = !halfOpen.isEmpty() || cells.anyHalfOpen();
        if (any != anyHalfOpen) {
            anyHalfOpen = any;
        }
    }

    /** The order of the waiting goes by the standing, so a member is out of it while that changes. */
    private void stands(Member member, Standing standing) {
        if (member.standing.returnMicros() != 0) {
            waiting.remove(member);
        }
        serving += (standing.inService() ? 1 : 0) - (member.standing.inService() ? 1 : 0);
        member.standing = standing;
        if (standing.returnMicros() != 0) {
            waiting.add(member);
        }
    }

    private static void listIn(Collection<Member> list, Member member, boolean belongs) {
        if (belongs) {
            list.add(member);
        } else if (!list.isEmpty()) {
            list.remove(member);
        }
    }

    private void weigh(Member member, long nowMicros) {
        double factor = ejection.weightFactor(member.standing, nowMicros);
        member.weight = member.staticWeight() * member.successRate() * speed(member) * factor;
        member.cap = member.standing.slowStarting()
                ? Math.max(1, (int) (settings.maxLeases() * factor))
                : settings.maxLeases();
        refresh(member);
    }

    private double speed(Member member) {
        return member.latencyMicros == 0 || meanLatencyMicros == 0
                ? 1
                : Math.max(1 / LATENCY_SPAN, Math.min(LATENCY_SPAN, meanLatencyMicros / member.latencyMicros));
    }

    private WeightParts weightParts(Member member, long nowMicros) {
        return new WeightParts(
                member.staticWeight(),
                member.successRate(),
                speed(member),
                ejection.weightFactor(member.standing, nowMicros));
    }

    private void refresh(Member member) {
        for (Seat seat = member.seats; seat != null; seat = seat.next) {
            seat.group.refresh(seat);
        }
    }

    private void learnCell(Member member, long target, SubjectRow row, long nowMicros) {
        cells.learn(member, target, row, nowMicros);
        noteHalfOpen();
    }

    /** Members that a tag names, by slot, with their standing. */
    public synchronized Map<Integer, Standing> membersOf(long tag) {
        Map<Integer, Standing> bearers = new LinkedHashMap<>();
        members.stream()
                .filter(member -> member.bears(tag))
                .forEach(member -> bearers.put(member.slot, member.standing));
        return bearers;
    }

    /** {@code provider=acme}; the number where no member bears it any more. */
    public synchronized String tagName(long tag) {
        for (Member member : members) {
            String provider = Kin.provider(member.address());
            String subnet = Kin.subnet(member.address());
            if (provider != null && Kin.hash(provider) == tag) {
                return provider;
            }
            if (subnet != null && Kin.hash(subnet) == tag) {
                return subnet;
            }
        }
        return Long.toHexString(tag);
    }

    // ---- for people and metrics

    /** Every address, in list order. */
    public synchronized List<AddressStatus> addresses() {
        Map<Integer, Integer> cellsOut = cells.outBySlot();
        List<AddressStatus> all = new ArrayList<>(members.size());
        for (Member member : members) {
            all.add(status(member, cellsOut.getOrDefault(member.slot, 0)));
        }
        return all;
    }

    /** The address of a slot as {@link #addresses} shows it; null where the slot is empty. */
    public synchronized @Nullable AddressStatus status(int slot) {
        Member member = members.at(slot);
        return member == null ? null : status(member, cells.outBySlot().getOrDefault(slot, 0));
    }

    private static AddressStatus status(Member member, int cellsOut) {
        return new AddressStatus(
                member.address(),
                member.standing,
                member.live,
                member.cap,
                member.weight,
                member.successRate(),
                (long) member.latencyMicros,
                (long) member.p50Micros,
                (long) member.p95Micros,
                member.latencyJump,
                member.uses,
                member.lastUsedMicros,
                cellsOut,
                member.probe == null ? 0 : member.probe.checkedMicros,
                member.probe == null ? 0 : member.probe.latencyMicros);
    }

    /** What the weight of a slot's address is made of now; null where the slot is empty. */
    public synchronized @Nullable WeightParts weightParts(int slot, long nowMicros) {
        Member member = members.at(slot);
        return member == null ? null : weightParts(member, nowMicros);
    }

    /** Candidates in words for people, in their order; those whose address has gone are left out. */
    public synchronized List<Choice.Proposal> described(List<Candidate> candidates) {
        List<Choice.Proposal> described = new ArrayList<>(candidates.size());
        for (Candidate candidate : candidates) {
            Member member = members.at(candidate.slot());
            if (member != null) {
                described.add(new Choice.Proposal(member.address().id(), member.weight, member.live));
            }
        }
        return described;
    }

    /** Addresses in each state. */
    public synchronized Map<State, Integer> states() {
        Map<State, Integer> count = new LinkedHashMap<>();
        for (State state : State.values()) {
            count.put(state, 0);
        }
        members.forEach(member -> count.merge(member.standing.state(), 1, Integer::sum));
        return count;
    }

    /** Live leases as far as this instance knows. */
    public synchronized int live() {
        return members.stream().mapToInt(member -> member.live).sum();
    }

    /**
     * With nobody in service: when the first address comes back, at the earliest. Empty where somebody serves, since then a
     * lease may end at any moment, and where nobody waits to come back.
     */
    public synchronized Optional<Long> firstReturnMicros() {
        return serving > 0 || waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(waiting.first().standing.returnMicros());
    }
}
