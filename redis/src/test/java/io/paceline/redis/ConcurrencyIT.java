package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.LeaseId;
import io.paceline.health.Budget;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.SessionClaim;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.StateStore;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eight threads over two connections on one chain, in the server's own time: what must never happen does not. */
class ConcurrencyIT {
    private static final int THREADS = 8;
    private static final int CHAIN = 7;
    private static final long SITE = 1_000_003;
    private static final long MINUTE = 60_000_000;

    private final RedisSettings settings = new RedisSettings(
            TestRedis.shared().uri(), "concurrency", Duration.ofSeconds(10), RedisSettings.DEFAULT_QUEUE);
    private final List<RedisStore> stores = List.of(RedisStore.connect(settings), RedisStore.connect(settings));
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicLong ids = new AtomicLong();

    @BeforeEach
    void empty() {
        TestRedis.shared().commands().flushall();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        stores.forEach(RedisStore::close);
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private void enrol(int members) {
        now(stores.get(0)
                .enrol(
                        CHAIN,
                        Enrollee.plain(
                                LongStream.rangeClosed(1, members).boxed().toList())));
    }

    private interface Work {
        void run(StateStore store, int thread, RandomGenerator random) throws InterruptedException;
    }

    private void inParallel(Work work) throws InterruptedException {
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            all.add(() -> {
                work.run(stores.get(thread % stores.size()), thread, Seeds.random(thread));
                return true;
            });
        }
        for (Future<Boolean> done : threads.invokeAll(all)) {
            try {
                assertThat(done.get()).isTrue();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }

    private Admission admission(List<Charge> charges, List<Candidate> candidates) {
        return new Admission(
                ids.incrementAndGet() << 20,
                Admission.Purpose.SERVE,
                CHAIN,
                SITE,
                charges,
                candidates,
                null,
                1,
                MINUTE,
                0,
                0);
    }

    @Test
    void capsOfAddressAndCellAndConcurrencyHold() throws InterruptedException {
        enrol(4);
        List<Charge> charges = List.of(Charge.of("at-once", "at-once", new LimitSpec.Concurrency(5), MINUTE, false));
        Map<Integer, AtomicInteger> live = new ConcurrentHashMap<>();
        AtomicInteger all = new AtomicInteger();
        AtomicInteger granted = new AtomicInteger();
        inParallel((store, thread, random) -> {
            for (int i = 0; i < 150; i++) {
                List<Candidate> candidates =
                        List.of(new Candidate(random.nextInt(4), 2, 2), new Candidate(random.nextInt(4), 2, 2));
                if (now(store.admit(admission(charges, candidates))) instanceof Admitted.Granted done) {
                    Admitted.Grant grant = done.grants().get(0);
                    AtomicInteger here = live.computeIfAbsent(grant.slot(), slot -> new AtomicInteger());
                    assertThat(here.incrementAndGet()).isLessThanOrEqualTo(2);
                    assertThat(all.incrementAndGet()).isLessThanOrEqualTo(5);
                    granted.incrementAndGet();
                    // Counted down first: the store has room only once the lease has ended there.
                    here.decrementAndGet();
                    all.decrementAndGet();
                    now(store.settle(new Settlement(
                            lease(grant),
                            Settlement.Evidence.SUCCESS,
                            Settlement.Evidence.SUCCESS,
                            Sign.SUCCESS,
                            1_000,
                            true,
                            false)));
                }
            }
        });
        assertThat(granted.get()).isPositive();
        for (int slot = 0; slot < 4; slot++) {
            assertThat(row(slot).live()).isZero();
        }
    }

    private static LeaseId lease(Admitted.Grant grant) {
        return new LeaseId(grant.leaseId(), grant.chain(), grant.slot(), SITE, grant.expiresAtMicros());
    }

    private SubjectRow row(int slot) {
        return Objects.requireNonNull(
                now(stores.get(0).rows(CHAIN, slot, List.of())).address());
    }

    @Test
    void noWindowHoldsMoreThanTheLimit() throws InterruptedException {
        enrol(1);
        LimitSpec.Window ring = new LimitSpec.Window(7, 200_000);
        LimitSpec.Window counts = new LimitSpec.Window(80, 1_000_000);
        LimitSpec.Gcra gcra = new LimitSpec.Gcra(10_000, 3);
        List<Charge> charges = List.of(
                Charge.of("ring", "ring", ring, 0, false),
                Charge.of("counts", "counts", counts, 0, false),
                Charge.of("gcra", "gcra", gcra, 0, false));
        ConcurrentSkipListMap<Long, Integer> starts = new ConcurrentSkipListMap<>();
        inParallel((store, thread, random) -> {
            for (int i = 0; i < 300; i++) {
                if (now(store.admit(admission(charges, List.of(new Candidate(0, 10_000, 10_000)))))
                        instanceof Admitted.Granted done) {
                    starts.merge(done.grants().get(0).grantedAtMicros(), 1, Integer::sum);
                }
            }
        });
        assertThat(starts).isNotEmpty();
        starts.keySet().forEach(at -> {
            assertThat(within(starts, at, ring.windowMicros())).isLessThanOrEqualTo(7);
            assertThat(within(starts, at, counts.windowMicros())).isLessThanOrEqualTo(80);
            assertThat(within(starts, at, 10_000)).as("burst").isLessThanOrEqualTo(3);
        });
    }

    private static int within(ConcurrentSkipListMap<Long, Integer> starts, long from, long window) {
        return starts.subMap(from, from + window).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    @Test
    void shareAndFloorHoldWhateverIsEjectedAtOnce() throws InterruptedException {
        for (int members : new int[] {3, 10, 25}) {
            empty();
            enrol(members);
            Budget budget = new Budget(0.3, 2);
            Set<Integer> out = ConcurrentHashMap.newKeySet();
            inParallel((store, thread, random) -> {
                for (int i = 0; i < 40; i++) {
                    int slot = random.nextInt(members);
                    Standing from = row(slot).standing();
                    if (from.inService()) {
                        Standing to = new Standing(
                                State.QUARANTINED, from.epoch() + 1, thread, Long.MAX_VALUE, MINUTE, 1, 0, i + 1L);
                        if (now(store.shift(new Shift(CHAIN, slot, 0, from, to, budget))) instanceof Shifted.Applied) {
                            out.add(slot);
                        }
                    }
                }
            });
            assertThat(out).as("of %d", members).hasSize(Math.max(1, (int) (0.3 * members)));
        }
    }

    /** One thread may be the first for every key: then all leases are on its address. */
    private static final int ROOM = 1_000;

    @Test
    void firstRequestsOfOneSessionAllGetOneAddress() throws InterruptedException {
        enrol(8);
        for (int key = 0; key < 20; key++) {
            SessionClaim claim = new SessionClaim(
                    CHAIN,
                    key,
                    MINUTE,
                    true,
                    OnAddressDeath.END,
                    MINUTE,
                    List.of(new SessionClaim.Caps(CHAIN, ROOM, ROOM)));
            Set<Integer> slots = ConcurrentHashMap.newKeySet();
            inParallel((store, thread, random) -> {
                Admission asked = admission(List.of(), List.of(new Candidate(thread, ROOM, ROOM)));
                Admitted answer = now(store.admit(new Admission(
                        asked.leaseId(),
                        asked.purpose(),
                        CHAIN,
                        SITE,
                        List.of(),
                        asked.candidates(),
                        claim,
                        1,
                        MINUTE,
                        0,
                        0)));
                slots.add(((Admitted.Granted) answer).grants().get(0).slot());
            });
            assertThat(slots).hasSize(1);
        }
    }
}
