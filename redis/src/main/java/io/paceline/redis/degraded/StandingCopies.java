package io.paceline.redis.degraded;

import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.redis.degraded.Notebook.Subject;
import io.paceline.store.Changes;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.SlotRows;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/**
 * Judgement travels with its address: the owner's standings are copied to the shared store, from which the next owner takes
 * them up, and in which everybody can set what people order. Addresses of others look frozen here, so that nobody proposes
 * them.
 *
 * <p>Thread-safe; standings are changed under the lock that is held while something is granted.
 */
final class StandingCopies {
    private static final Hold FROZEN = Hold.NONE.withFrozen(true);
    /** Asks for more than has ever changed, which is answered with everything. */
    private static final long EVERYTHING = 1L << 52;

    private static final int PAGE = 1_000;
    /** Copies that wait for a store that is away; beyond it the oldest is not told. */
    private static final int MOST = 20_000;

    private final SharedStore shared;
    private final MemoryStore local;
    private final Notebook notebook;
    private final LongPredicate owned;
    private final Object lock;
    /** By chain: slots that were taken up with the standing that the last owner left. */
    private final Map<Integer, BitSet> takenUp = new HashMap<>();

    private final Map<Integer, Long> readUpTo = new ConcurrentHashMap<>();
    private final Map<Subject, Decided> untold = new LinkedHashMap<>();
    private boolean telling;

    /** @param byPeople the hold was changed, too: else the one in the shared store stays */
    private record Decided(Standing to, boolean byPeople) {}

    /** @param owned whether an address is this instance's now */
    StandingCopies(SharedStore shared, MemoryStore local, Notebook notebook, LongPredicate owned, Object lock) {
        this.shared = shared;
        this.local = local;
        this.notebook = notebook;
        this.owned = owned;
        this.lock = lock;
    }

    private BitSet takenUp(int chain) {
        return takenUp.computeIfAbsent(chain, id -> new BitSet());
    }

    private boolean isOwned(int chain, int slot) {
        Enrollee member = notebook.member(chain, slot);
        return member != null && owned.test(member.identity());
    }

    // ---- what is owned has changed

    /** Lays aside what is not owned, or not any more, before anything else is decided. */
    void layAside(int chain, boolean anew) {
        synchronized (lock) {
            BitSet slots = takenUp(chain);
            for (int slot = 0; slot < notebook.size(chain); slot++) {
                boolean keeps = slots.get(slot) && isOwned(chain, slot);
                if (!keeps && (anew || slots.get(slot)) && notebook.member(chain, slot) != null) {
                    slots.clear(slot);
                    stand(chain, slot, 0, FROZEN);
                }
            }
        }
    }

    /** Takes up what is owned and was not, with the standings in the shared store. Fails where that is away. */
    CompletionStage<Void> takeUp(int chain) {
        boolean nothing = true;
        synchronized (lock) {
            for (int slot = 0; slot < notebook.size(chain) && nothing; slot++) {
                nothing = takenUp(chain).get(slot) || !isOwned(chain, slot);
            }
        }
        return nothing
                ? CompletableFuture.completedFuture(null)
                : shared.changes(chain, EVERYTHING, PAGE).thenAccept(all -> takeUp(chain, all));
    }

    private void takeUp(int chain, Changes all) {
        Map<Integer, Standing> known = new HashMap<>();
        synchronized (lock) {
            for (Changes.Change change : all.changes()) {
                boolean next = isOwned(chain, change.slot()) && !takenUp(chain).get(change.slot());
                if (next && !change.removed() && change.target() == 0) {
                    known.put(change.slot(), change.row().standing());
                } else if (next && !change.removed()) {
                    stand(chain, change.slot(), change.target(), change.row().standing());
                }
            }
            for (int slot = 0; slot < notebook.size(chain); slot++) {
                if (isOwned(chain, slot) && !takenUp(chain).get(slot)) {
                    takenUp(chain).set(slot);
                    Standing last = known.get(slot);
                    if (last == null) {
                        stand(chain, slot, 0, Hold.NONE);
                    } else {
                        stand(chain, slot, 0, last);
                    }
                }
            }
            readUpTo.put(chain, all.version());
        }
    }

    private void stand(int chain, int slot, long target, Hold hold) {
        Standing now = standing(chain, slot, target);
        stand(chain, slot, target, now.keeping(hold));
    }

    private void stand(int chain, int slot, long target, Standing to) {
        Standing now = standing(chain, slot, target);
        if (!now.equals(to)) {
            Shifted ignored = local.shift(new Shift(chain, slot, target, now, to, Budget.NONE))
                    .toCompletableFuture()
                    .join();
        }
    }

    private Standing standing(int chain, int slot, long target) {
        SlotRows rows = local.rows(chain, slot, target == 0 ? List.of() : List.of(target))
                .toCompletableFuture()
                .join();
        return standing(rows, target);
    }

    private static Standing standing(SlotRows rows, long target) {
        SubjectRow row = target == 0 ? rows.address() : rows.cells().get(target);
        return row == null ? Standing.fresh(0, 0) : row.standing();
    }

    // ---- what people have set at other instances

    /** Looks for it; what cannot be read now is read the next time. */
    void look(int chain) {
        long since = readUpTo.getOrDefault(chain, 0L);
        CompletionStage<Void> ignored = shared.changes(chain, since, PAGE).thenAccept(changes -> {
            synchronized (lock) {
                for (Changes.Change change : changes.changes()) {
                    boolean own =
                            isOwned(chain, change.slot()) && takenUp(chain).get(change.slot());
                    if (own && !change.removed()) {
                        Hold set = change.row().standing().hold();
                        Standing now = standing(chain, change.slot(), change.target());
                        stand(chain, change.slot(), change.target(), now.under(set));
                    }
                }
                readUpTo.put(chain, changes.version());
            }
        });
    }

    // ---- what was decided here

    void decided(Shift shift) {
        decided(
                new Subject(shift.chain(), shift.slot(), shift.target()),
                shift.to(),
                !shift.to().hold().equals(shift.expected().hold()));
        tell();
    }

    private void decided(Subject subject, Standing to, boolean byPeople) {
        synchronized (untold) {
            Decided before = untold.remove(subject);
            if (untold.size() >= MOST) {
                untold.remove(untold.keySet().iterator().next());
            }
            untold.put(subject, new Decided(to, byPeople || (before != null && before.byPeople)));
        }
    }

    /** Everything that is not as good as new, to a store that has lost it. */
    void tellAll() {
        synchronized (lock) {
            for (int chain : notebook.tables.keySet()) {
                Changes all = local.changes(chain, EVERYTHING, PAGE)
                        .toCompletableFuture()
                        .join();
                for (Changes.Change change : all.changes()) {
                    if (!change.removed() && takenUp(chain).get(change.slot())) {
                        decided(
                                new Subject(chain, change.slot(), change.target()),
                                change.row().standing(),
                                true);
                    }
                }
                readUpTo.remove(chain);
            }
        }
        tell();
    }

    /** One after another, so that of two standings of one subject the newer is told last. */
    void tell() {
        Subject subject;
        Decided decided;
        synchronized (untold) {
            if (telling || untold.isEmpty()) {
                return;
            }
            telling = true;
            Map.Entry<Subject, Decided> next = untold.entrySet().iterator().next();
            subject = next.getKey();
            decided = next.getValue();
        }
        copy(subject, decided).whenComplete((told, failure) -> {
            boolean done = failure == null && told;
            synchronized (untold) {
                telling = false;
                if (done) {
                    untold.remove(subject, decided);
                }
            }
            if (done) {
                tell();
            }
        });
    }

    /** False where somebody else was in between: then it is looked at again. */
    private CompletionStage<Boolean> copy(Subject subject, Decided decided) {
        return shared.rows(
                        subject.chain(), subject.slot(), subject.target() == 0 ? List.of() : List.of(subject.target()))
                .thenCompose(rows -> {
                    Standing now = standing(rows, subject.target());
                    Standing to = decided.byPeople ? decided.to : decided.to.keeping(now.hold());
                    return now.equals(to)
                            ? CompletableFuture.completedStage(true)
                            : shared.shift(new Shift(
                                            subject.chain(), subject.slot(), subject.target(), now, to, Budget.NONE))
                                    .thenApply(shifted -> !(shifted instanceof Shifted.Stale));
                });
    }
}
