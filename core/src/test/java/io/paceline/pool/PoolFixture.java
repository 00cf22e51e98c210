package io.paceline.pool;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.store.Candidate;
import io.paceline.store.Enrolled;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A view over n addresses of which a test tells everything: slots are list places, times its own. */
final class PoolFixture {
    static final long START = 1_772_366_400_000_000L;
    static final long SITE = 101;
    static final long OTHER_SITE = 202;

    final PoolView view;
    final RandomGenerator random = Seeds.random(1);
    long now = START;
    private final List<Address> addresses = new ArrayList<>();
    private final List<SubjectRow> rows = new ArrayList<>();

    PoolFixture(PoolSettings settings, int size) {
        this(settings, addresses(size));
    }

    PoolFixture(PoolSettings settings, List<Address> members) {
        view = new PoolView(settings);
        addresses.addAll(members);
        for (int i = 0; i < members.size(); i++) {
            rows.add(fresh());
        }
        configure(settings);
    }

    static SubjectRow fresh() {
        return new SubjectRow(Standing.fresh(1, START), 0, 0, 0, 0, 0, 0, 0, 0);
    }

    static List<Address> addresses(int size) {
        List<Address> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(address("a" + i, Map.of(), 1));
        }
        return all;
    }

    static Address address(String id, Map<String, String> tags, double weight) {
        return new Address(id, new Endpoint(Endpoint.Scheme.HTTP, "192.0.2.1", 3128, null), tags, weight, false);
    }

    static PoolSettings settings(Strategy strategy, int maxLeases) {
        PoolSettings usual = PoolSettings.defaults("p");
        return new PoolSettings(
                "p",
                strategy,
                Map.of(),
                maxLeases,
                maxLeases,
                usual.leaseTtl(),
                usual.session(),
                usual.health(),
                usual.quarantine());
    }

    void configure(PoolSettings settings) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            slots.add(i);
        }
        view.configure(settings, addresses, new Enrolled(slots, rows, addresses.size(), 0), now);
    }

    /** The list grows by one, in a new slot. */
    void grow(PoolSettings settings) {
        addresses.add(address("a" + addresses.size(), Map.of(), 1));
        rows.add(fresh());
        configure(settings);
    }

    // ---- what the store tells

    void granted(int slot) {
        SubjectRow row = rows.get(slot);
        update(slot, row.standing(), row.live() + 1);
        view.granted(slot, row.live() + 1, rows.get(slot).revision(), now);
    }

    void ended(int slot) {
        SubjectRow row = rows.get(slot);
        update(slot, row.standing(), row.live() - 1);
        view.expired(slot, SITE, row.live() - 1, rows.get(slot).revision());
    }

    void stands(int slot, Standing standing) {
        update(slot, standing, rows.get(slot).live());
        view.shifted(slot, 0, rows.get(slot), now);
    }

    void cellStands(int slot, long target, Standing standing, int revision) {
        view.shifted(slot, target, new SubjectRow(standing, 0, 0, 0, 0, 0, 0, 0, revision), now);
    }

    SubjectRow row(int slot) {
        return rows.get(slot);
    }

    private void update(int slot, Standing standing, int live) {
        rows.set(
                slot,
                new SubjectRow(standing, 0, 0, 0, 0, 0, 0, live, rows.get(slot).revision() + 1));
    }

    // ---- standings

    Standing healthy() {
        return new Standing(State.HEALTHY, 5, now, 0, 0, 0, 0, 0);
    }

    Standing degraded() {
        return Standing.fresh(1, START).inState(State.DEGRADED, now);
    }

    Standing quarantined() {
        return new Standing(State.QUARANTINED, 2, now, now + 60_000_000, 60_000_000, 1, 0, now);
    }

    Standing halfOpen() {
        return new Standing(State.PROBING, 2, now, 0, 60_000_000, 1, 0, now - 60_000_000);
    }

    Standing slowStart() {
        return new Standing(State.PROBING, 3, now, now + 60_000_000, 60_000_000, 1, now, 0);
    }

    // ---- questions

    static Query query(Strategy strategy) {
        return query(strategy, 0);
    }

    static Query query(Strategy strategy, long key) {
        return new Query(strategy, Map.of(), SITE, key, Set.of(), false, 1);
    }

    static Query tagged(Strategy strategy, long key, Map<String, String> tags) {
        return new Query(strategy, tags, SITE, key, Set.of(), false, 1);
    }

    static Query excluding(Strategy strategy, String... ids) {
        return new Query(strategy, Map.of(), SITE, 0, Set.of(ids), false, 1);
    }

    static Query session(long key) {
        return new Query(Strategy.WEIGHTED, Map.of(), SITE, key, Set.of(), true, 1);
    }

    List<Integer> propose(Query query, int most) {
        return view.propose(query, most, random, now).stream()
                .map(Candidate::slot)
                .toList();
    }

    /** The first proposal, or -1. */
    int first(Query query) {
        List<Integer> found = propose(query, 2);
        return found.isEmpty() ? -1 : found.get(0);
    }

    /** A lease on the first proposal, as an instance alone gets it. */
    int lease(Query query) {
        int slot = first(query);
        if (slot >= 0) {
            now += 1_000;
            granted(slot);
        }
        return slot;
    }
}
