package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Cap and floor are exact: over random histories of judgement, people and lists the store allows an ejection where counting
 * everything anew allows it, and nowhere else.
 */
class CensusTest {
    private static final int CHAIN = 7;
    private static final int SLOTS = 12;
    private static final int TARGETS = 3;
    private static final int STEPS = 400;

    /** A step and what became of it, in the store's order. */
    private record Taken(long version, Shift shift) {}

    private static Budget budget(RandomGenerator random) {
        return new Budget(random.nextInt(2) == 0 ? 0.3 : random.nextDouble(), random.nextInt(4));
    }

    // ---- one history after the other

    @SeededTest(seeds = 200)
    void anEjectionIsAllowedExactlyWhereCountingAnewAllowsIt(long seed) {
        RandomGenerator random = Seeds.random(seed);
        MemoryStore store = new MemoryStore(() -> 1);
        Books books = new Books();
        enrol(store, books, IntStream.range(0, SLOTS).boxed().toList());
        Budget budget = budget(random);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(20) == 0) {
                enrol(
                        store,
                        books,
                        random.ints(0, SLOTS)
                                .distinct()
                                .limit(1 + random.nextInt(SLOTS))
                                .boxed()
                                .sorted()
                                .toList());
                continue;
            }
            int slot = random.nextInt(SLOTS);
            long target = random.nextInt(TARGETS + 1);
            Standing from = books.standing(slot, target);
            Shift shift = step(slot, target, from, budget, random);
            boolean there = books.present.contains(slot);
            boolean allowed = !leaves(shift) || books.allows(shift);
            Shifted became = get(store, shift);
            assertThat(became)
                    .as("step %d: %s", step, shift)
                    .isInstanceOf(!there ? Shifted.Gone.class : allowed ? Shifted.Applied.class : Shifted.Capped.class);
            if (became instanceof Shifted.Applied) {
                books.take(shift);
            }
        }
    }

    /** Slot i belongs to identity i throughout: who leaves keeps its tombstone, since nobody new comes. */
    private static void enrol(MemoryStore store, Books books, List<Integer> members) {
        Enrolled enrolled = store.enrol(
                        CHAIN,
                        Enrollee.plain(members.stream().map(Integer::longValue).toList()))
                .toCompletableFuture()
                .join();
        assertThat(enrolled.slots()).isEqualTo(members);
        books.present.clear();
        books.present.addAll(members);
        for (int i = 0; i < members.size(); i++) {
            books.standings.put(
                    Books.key(members.get(i), 0), enrolled.rows().get(i).standing());
        }
    }

    // ---- eight threads at once

    @SeededTest(seeds = 10)
    void eightThreadsTogetherNeverTakeOutMoreThanOneAfterTheOtherCould(long seed) throws Exception {
        MemoryStore store = new MemoryStore(() -> 1);
        Books books = new Books();
        List<Integer> all = IntStream.range(0, SLOTS).boxed().toList();
        enrol(store, books, all);
        Budget budget = budget(Seeds.random(seed));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Taken> taken = new ArrayList<>();
        try {
            List<Future<List<Taken>>> runs = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                long own = seed * 100 + thread;
                runs.add(threads.submit(() -> wander(store, budget, Seeds.random(own))));
            }
            for (Future<List<Taken>> run : runs) {
                taken.addAll(run.get());
            }
        } finally {
            threads.shutdownNow();
        }
        taken.sort(Comparator.comparingLong(Taken::version));
        assertThat(taken.stream().filter(step -> leaves(step.shift())).count())
                .as("ejections to look at")
                .isGreaterThan(20);
        for (Taken step : taken) {
            assertThat(books.standing(step.shift().slot(), step.shift().target()))
                    .as("the history is whole")
                    .isEqualTo(step.shift().expected());
            if (leaves(step.shift())) {
                assertThat(books.allows(step.shift())).as("%s", step).isTrue();
            }
            books.take(step.shift());
        }
    }

    private static List<Taken> wander(MemoryStore store, Budget budget, RandomGenerator random) {
        Map<Long, Standing> known = new HashMap<>();
        List<Taken> taken = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int slot = random.nextInt(SLOTS);
            long target = random.nextInt(TARGETS + 1);
            long key = Books.key(slot, target);
            Standing from = known.getOrDefault(key, Standing.fresh(target == 0 ? 1 : 0, target == 0 ? 1 : 0));
            Shift shift = step(slot, target, from, budget, random);
            Shifted became = get(store, shift);
            if (became instanceof Shifted.Stale stale) {
                SubjectRow row = stale.row();
                known.put(key, row.standing());
            } else if (became instanceof Shifted.Applied applied) {
                known.put(key, shift.to());
                taken.add(new Taken(applied.version(), shift));
            }
        }
        return taken;
    }

    // ---- steps

    private static Shifted get(MemoryStore store, Shift shift) {
        return store.shift(shift).toCompletableFuture().join();
    }

    /** By judgement out of service: what people set asks for no room. */
    private static boolean leaves(Shift shift) {
        return shift.expected().inService()
                && !shift.to().inService()
                && !shift.budget().equals(Budget.NONE);
    }

    /** Every third is an order of people's: a hold, without a budget. */
    private static Shift step(int slot, long target, Standing from, Budget budget, RandomGenerator random) {
        if (random.nextInt(3) > 0) {
            return new Shift(CHAIN, slot, target, from, judged(from, random), budget);
        }
        Hold hold = switch (random.nextInt(5)) {
            case 0 -> Hold.NONE.withFrozen(true);
            case 1 -> Hold.NONE.withDraining(true);
            case 2 -> Hold.NONE.withBan(new Hold.Ban("", 0));
            default -> Hold.NONE;
        };
        return new Shift(CHAIN, slot, target, from, from.under(hold), Budget.NONE);
    }

    private static Standing judged(Standing from, RandomGenerator random) {
        int epoch = from.epoch() + 1;
        Standing judged = switch (random.nextInt(9)) {
            case 0, 1 -> new Standing(State.HEALTHY, epoch, 1, 0, 0, 0, 0, 0);
            case 2 -> new Standing(State.DEGRADED, epoch, 1, 0, 0, 0, 0, 0);
            case 3 -> new Standing(State.PROBING, epoch, 1, 0, 9, 1, 0, 1);
            case 4 -> new Standing(State.PROBING, epoch, 1, 9, 9, 1, 1, 0);
            case 5 -> new Standing(State.DEAD, epoch, 1, Long.MAX_VALUE, 9, 6, 0, 1);
            default -> new Standing(State.QUARANTINED, epoch, 1, Long.MAX_VALUE, 9, 1, 0, 1);
        };
        return judged.keeping(from.hold());
    }

    /** What counting everything anew finds. */
    private static final class Books {
        final Set<Integer> present = new TreeSet<>();
        final Map<Long, Standing> standings = new HashMap<>();

        static long key(int slot, long target) {
            return slot * 1_000L + target;
        }

        Standing standing(int slot, long target) {
            return standings.getOrDefault(key(slot, target), Standing.fresh(0, 0));
        }

        void take(Shift shift) {
            standings.put(key(shift.slot(), shift.target()), shift.to());
        }

        boolean allows(Shift shift) {
            Budget budget = shift.budget();
            List<Integer> members =
                    present.stream().filter(slot -> standing(slot, 0).counts()).toList();
            if (shift.target() == 0) {
                int out = (int) members.stream()
                        .filter(slot -> !standing(slot, 0).inService())
                        .count();
                return budget.allows(members.size(), out + 1)
                        && LongStream.rangeClosed(1, TARGETS).allMatch(target -> leavesEnough(shift, target, members));
            }
            if (!members.contains(shift.slot())) {
                return true;
            }
            List<Integer> cells = members.stream()
                    .filter(slot -> standing(slot, shift.target()).counts())
                    .toList();
            int out = (int) cells.stream()
                    .filter(slot -> !standing(slot, shift.target()).inService())
                    .count();
            return budget.allows(cells.size(), out + 1) && leavesEnough(shift, shift.target(), members);
        }

        /** At least the floor is left for the target, or all that count there; or the step takes nothing from it. */
        private boolean leavesEnough(Shift shift, long target, List<Integer> members) {
            if (!serves(shift.slot(), target)) {
                return true;
            }
            long serving = members.stream().filter(slot -> serves(slot, target)).count();
            long here = members.stream()
                    .filter(slot -> standing(slot, target).counts())
                    .count();
            return serving - 1 >= Math.min(shift.budget().minInService(), here);
        }

        private boolean serves(int slot, long target) {
            return standing(slot, 0).inService() && standing(slot, target).inService();
        }
    }
}
