package io.paceline.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.paceline.LeaseId;
import io.paceline.health.Sign;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.SessionClaim;
import io.paceline.store.Settlement;
import io.paceline.store.Settlement.Evidence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What an address, a cell, a lease, a session and a limit take in Redis's memory, and how many octets a call sends and gets:
 * the unit costs of docs/scale.md. Each figure is what the counters of Redis grew by, over so many of one kind.
 */
final class RedisSizes {
    private static final int CHAIN = 7;
    private static final int IN_FLIGHT = 64;
    private static final long HOUR = 3_600_000_000L;
    private static final long TARGET = 1_000_003L;

    private final RedisCommands<String, String> commands;
    private final RedisStore store;
    private final int count;
    private final List<LeaseId> leases = new ArrayList<>();

    private RedisSizes(RedisCommands<String, String> commands, RedisStore store, int count) {
        this.commands = commands;
        this.store = store;
        this.count = count;
    }

    public static void main(String[] arguments) {
        RedisClient client = RedisClient.create(arguments[0]);
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        try (StatefulRedisConnection<String, String> connection = client.connect();
                RedisStore store =
                        RedisStore.connect(new RedisSettings(arguments[0], "sizes", Duration.ofSeconds(60), 100_000))) {
            connection.sync().flushall();
            new RedisSizes(connection.sync(), store, count).run();
        } finally {
            client.shutdown();
        }
    }

    private void run() {
        System.out.printf("%d of each%n%-56s %7s %9s %9s %9s%n", count, "", "octets", "sent", "got", "ms in all");
        List<Long> identities = LongStream.rangeClosed(1, count).boxed().toList();
        told("an address that has seen nothing", 1, i -> store.enrol(CHAIN, Enrollee.plain(identities)));
        told("its first lease", count, i -> admit(i, i, List.of(), null, HOUR));
        told("its settlement: address and a cell have been seen", count, i -> settle(leases.get(i)));
        leases.clear();
        told("a lease on another target", count, i -> admit(i, i + 1, List.of(), null, HOUR));
        told("its settlement: one cell more", count, i -> settle(leases.get(i)));
        leases.clear();
        told("a lease where all has been seen", count, i -> admit(i, i, List.of(), null, HOUR));
        told("its settlement", count, i -> settle(leases.get(i)));
        leases.clear();
        told("a permit that needs no release", count, i -> admit(i, i, List.of(), null, 0));
        told("the same with a GCRA key of its own", count, i -> admit(i, i, gcra(i), null, 0));
        told("the same in a session of its own", count, i -> admit(i, i, List.of(), session(i), 0));
        told("a permit of a sliding window of 60 (1 in 20)", count, this::window);
        told("a lease of a session, with GCRA and concurrency", count, i -> admit(i, i, both(i), session(i), HOUR));
        told("its settlement", count, i -> settle(leases.get(i)));
        System.out.printf("used in all: %.0f MB%n", memory() / 1e6);
    }

    private CompletionStage<?> window(int i) {
        Charge sixty = Charge.of("w", "w" + i / 60, new LimitSpec.Window(60, HOUR), 0, false);
        return i % 1_200 < 60 ? admit(i, 0, List.of(sixty), null, 0) : CompletableFuture.completedFuture(null);
    }

    private static List<Charge> gcra(int i) {
        return List.of(Charge.of("g", "g" + i, new LimitSpec.Gcra(HOUR, 10), 0, false));
    }

    private static List<Charge> both(int i) {
        return List.of(gcra(i).get(0), Charge.of("c", "c" + i, new LimitSpec.Concurrency(10), 0, false));
    }

    private static SessionClaim session(int i) {
        return new SessionClaim(
                CHAIN,
                i * 0x9E3779B97F4A7C15L,
                HOUR,
                true,
                OnAddressDeath.END,
                HOUR,
                List.of(new SessionClaim.Caps(CHAIN, 100, 100)));
    }

    private long ids;

    private CompletionStage<?> admit(
            int i, int target, List<Charge> charges, @Nullable SessionClaim session, long ttl) {
        List<Candidate> candidates = new ArrayList<>(4);
        for (int next = 0; next < 4; next++) {
            candidates.add(new Candidate((i + next) % count, 100, 100));
        }
        long id = ++ids * 0x9E3779B97F4A7C15L;
        long hash = TARGET + target % 20;
        return store.admit(new Admission(id, Purpose.SERVE, CHAIN, hash, charges, candidates, session, 1, ttl, 0, 0))
                .thenAccept(answer -> {
                    if (ttl > 0 && answer instanceof Admitted.Granted granted) {
                        Admitted.Grant grant = granted.grants().get(0);
                        synchronized (leases) {
                            leases.add(new LeaseId(id, grant.chain(), grant.slot(), hash, grant.expiresAtMicros()));
                        }
                    }
                });
    }

    private CompletionStage<?> settle(LeaseId lease) {
        return store.settle(
                new Settlement(lease, Evidence.SUCCESS, Evidence.SUCCESS, Sign.SUCCESS, 250_000, true, false));
    }

    private void told(String what, int calls, IntFunction<CompletionStage<?>> call) {
        double memory = memory();
        double sent = stat("total_net_input_bytes");
        double got = stat("total_net_output_bytes");
        long from = System.nanoTime();
        Deque<CompletionStage<?>> waiting = new ArrayDeque<>();
        for (int i = 0; i < calls; i++) {
            if (waiting.size() == IN_FLIGHT) {
                waiting.remove().toCompletableFuture().join();
            }
            waiting.add(call.apply(i));
        }
        waiting.forEach(stage -> stage.toCompletableFuture().join());
        System.out.printf(
                "%-56s %7.0f %9.0f %9.0f %9d%n",
                what,
                (memory() - memory) / count,
                (stat("total_net_input_bytes") - sent) / count,
                (stat("total_net_output_bytes") - got) / count,
                (System.nanoTime() - from) / 1_000_000);
    }

    private double memory() {
        return value(commands.info("memory"), "used_memory");
    }

    private double stat(String name) {
        return value(commands.info("stats"), name);
    }

    private static double value(String info, String name) {
        for (String line : info.split("\r\n")) {
            if (line.startsWith(name + ":")) {
                return Double.parseDouble(line.substring(name.length() + 1));
            }
        }
        throw new IllegalStateException("Redis does not tell " + name);
    }
}
