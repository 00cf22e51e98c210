package io.paceline.redis.degraded;

import io.paceline.redis.degraded.Roster.Member;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * A shared store that goes away: refuses, hangs and does everything late, comes back empty; and for each instance a way to
 * it of its own, that can be cut. It beats as the script does.
 */
final class SharedInVirtualTime {
    private static final long TIMEOUT_MICROS = 100_000;

    private final VirtualTime time;
    private final long maxDelayMicros;
    private final List<Runnable> held = new ArrayList<>();
    private State state = State.UP;
    MemoryStore store;
    private long birth;
    private long generation;
    private final Map<Long, Member> members = new TreeMap<>();
    private final Map<Long, Long> sequences = new TreeMap<>();
    /** Who has left: a beat that comes late brings nobody back. */
    private final Set<Long> left = new TreeSet<>();

    enum State {
        UP,
        REFUSING,
        HANGING
    }

    SharedInVirtualTime(VirtualTime time, long maxDelayMicros) {
        this.time = time;
        this.maxDelayMicros = maxDelayMicros;
        this.store = new MemoryStore(time);
        this.birth = time.micros();
    }

    void become(State next) {
        state = next;
        if (next == State.UP) {
            List<Runnable> late = List.copyOf(held);
            held.clear();
            late.forEach(Runnable::run);
        }
    }

    void lose() {
        store = new MemoryStore(time);
        birth = time.micros();
        generation = 0;
        members.clear();
        sequences.clear();
        left.clear();
        held.clear();
    }

    /** The way of one instance. */
    final class Way {
        private final RandomGenerator random;
        boolean cut;
        final SharedStore store = (SharedStore) Proxy.newProxyInstance(
                SharedStore.class.getClassLoader(), new Class<?>[] {SharedStore.class}, (proxy, method, arguments) -> {
                    // Nobody announces anything: whoever listens hears nothing.
                    return method.getReturnType() == void.class ? null : call(method, arguments);
                });

        Way(RandomGenerator random) {
            this.random = random;
        }

        private CompletionStage<Object> call(Method method, Object[] arguments) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            if (cut || state == State.REFUSING) {
                time.at(time.micros() + 1, () -> answer.completeExceptionally(new IllegalStateException("refused")));
                return answer;
            }
            time.at(
                    time.micros() + TIMEOUT_MICROS,
                    () -> answer.completeExceptionally(new TimeoutException("no answer within 100 ms")));
            time.at(time.micros() + delay(), () -> arrive(method, arguments, answer));
            return answer;
        }

        private void arrive(Method method, Object[] arguments, CompletableFuture<Object> answer) {
            if (state == State.HANGING) {
                held.add(() -> arrive(method, arguments, answer));
            } else if (state == State.UP && !cut) {
                Object result = done(method, arguments);
                time.at(time.micros() + delay(), () -> {
                    if (!cut) {
                        answer.complete(result);
                    }
                });
            }
        }

        private long delay() {
            return random.nextLong(maxDelayMicros + 1);
        }
    }

    private Object done(Method method, Object[] arguments) {
        try {
            return method.getName().equals("beat")
                    ? beaten((Beat) arguments[0])
                    : ((CompletionStage<?>) method.invoke(store, arguments))
                            .toCompletableFuture()
                            .join();
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    private Beaten beaten(Beat beat) {
        long now = time.micros();
        boolean counted = now <= beat.validUntilMicros() && !left.contains(beat.instance());
        Member own = members.get(beat.instance());
        long last = sequences.getOrDefault(beat.instance(), 0L);
        boolean changed = members.values()
                .removeIf(other -> other.instance() != beat.instance()
                        && now - other.lastBeatMicros() > Membership.FORGOTTEN_MICROS);
        if (beat.standing() == Beat.Standing.LEAVING) {
            left.add(beat.instance());
            changed |= members.remove(beat.instance()) != null;
        } else if (counted) {
            changed |= own == null;
            members.put(
                    beat.instance(),
                    new Member(
                            beat.instance(),
                            now,
                            beat.birth() == birth ? beat.knows() : 0,
                            own == null ? generation + 1 : own.joined(),
                            beat.longestLeaseMicros(),
                            beat.standing()));
            sequences.put(beat.instance(), beat.sequence());
        }
        generation += changed ? 1 : 0;
        return new Beaten(new Roster(birth, generation, List.copyOf(members.values())), last, counted, now);
    }
}
