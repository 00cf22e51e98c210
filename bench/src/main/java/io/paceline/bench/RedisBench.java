package io.paceline.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.paceline.LeaseId;
import io.paceline.health.Sign;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.Settlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * An admission (four candidates, a GCRA and a concurrency limit) and a settlement on Redis, beside one GCRA script in the
 * same rounds: Redis's own time a call, and calls a second with so many in flight over one connection. Medians of rounds.
 */
final class RedisBench {
    private static final int ROUNDS = 3;
    private static final int CALLS = 10_000;
    private static final int IN_FLIGHT = 64;
    private static final int CHAIN = 7;
    private static final long MINUTE = 60_000_000;

    private static final String GCRA = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
            local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
            local at = tat - (burst - cost) * interval
            if at > now then return at end
            tat = tat + cost * interval
            redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.ceil((tat - now) / 1000) + 1)
            return now
            """;

    private final RedisAsyncCommands<String, String> commands;
    private final RedisStore store;
    private final SplittableRandom random = new SplittableRandom(1);
    private final int addresses;
    private long ids;

    private RedisBench(RedisAsyncCommands<String, String> commands, RedisStore store, int addresses) {
        this.commands = commands;
        this.store = store;
        this.addresses = addresses;
    }

    private record Figure(double micros, double perSecond) {}

    public static void main(String[] arguments) {
        RedisClient client = RedisClient.create(arguments[0]);
        int[] sizes = arguments.length > 1
                ? Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray()
                : new int[] {10, 1_000, 10_000, 100_000};
        try (StatefulRedisConnection<String, String> connection = client.connect();
                RedisStore store =
                        RedisStore.connect(new RedisSettings(arguments[0], "bench", Duration.ofSeconds(30), 100_000))) {
            System.out.println(
                    "addresses  gcra us  admit us  settle us  admit/gcra  gcra/s  admit/s  settle/s  batch us/permit");
            for (int size : sizes) {
                connection.sync().flushall();
                new RedisBench(connection.async(), store, size).run();
            }
        } finally {
            client.shutdown();
        }
    }

    private void run() {
        store.enrol(
                        CHAIN,
                        Enrollee.plain(
                                LongStream.rangeClosed(1, addresses).boxed().toList()))
                .toCompletableFuture()
                .join();
        List<Figure> gcra = new ArrayList<>();
        List<Figure> admit = new ArrayList<>();
        List<Figure> settle = new ArrayList<>();
        List<Figure> batch = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
            String sha = commands.scriptLoad(GCRA).toCompletableFuture().join();
            Figure one = measure(
                    CALLS,
                    i -> commands.<Long>evalsha(
                            sha, ScriptOutputType.INTEGER, new String[] {"gcra:" + i % 1_000}, "1000", "10", "1"));
            Deque<LeaseId> leases = new ArrayDeque<>();
            Figure two = measure(CALLS, i -> admit(1, leases));
            List<LeaseId> all = List.copyOf(leases);
            Figure three = measure(all.size(), i -> settle(all.get(i)));
            leases.clear();
            Figure four = measure(CALLS / 20, i -> admit(20, leases));
            List<LeaseId> more = List.copyOf(leases);
            measure(more.size(), i -> settle(more.get(i)));
            if (round > 0) { // the first one warms up
                gcra.add(one);
                admit.add(two);
                settle.add(three);
                batch.add(new Figure(four.micros / 20, four.perSecond * 20));
            }
        }
        System.out.printf(
                "%9d  %7.1f  %8.1f  %9.1f  %10.2f  %6.0f  %7.0f  %8.0f  %15.1f (%.0f/s)%n",
                addresses,
                micros(gcra),
                micros(admit),
                micros(settle),
                perSecond(admit) / perSecond(gcra),
                perSecond(gcra),
                perSecond(admit),
                perSecond(settle),
                micros(batch),
                perSecond(batch));
    }

    private static double micros(List<Figure> figures) {
        return figures.stream().mapToDouble(Figure::micros).sorted().toArray()[figures.size() / 2];
    }

    private static double perSecond(List<Figure> figures) {
        return figures.stream().mapToDouble(Figure::perSecond).sorted().toArray()[figures.size() / 2];
    }

    private CompletionStage<Admitted> admit(int count, Deque<LeaseId> leases) {
        List<Candidate> candidates = new ArrayList<>(4);
        for (int i = 0; i < 4; i++) {
            candidates.add(new Candidate(random.nextInt(addresses), 1_000_000, 1_000_000));
        }
        long target = 1_000_003L + random.nextInt(20);
        List<Charge> charges = List.of(
                Charge.of("rate", "rate" + target, new LimitSpec.Gcra(1, 100_000), MINUTE, false),
                Charge.of("at-once", "at-once" + target, new LimitSpec.Concurrency(1_000_000), MINUTE, false));
        ids += 32;
        Admission admission = new Admission(
                ids * 0x9E3779B97F4A7C15L,
                Admission.Purpose.SERVE,
                CHAIN,
                target,
                charges,
                candidates,
                null,
                count,
                10 * MINUTE,
                0,
                0);
        return store.admit(admission).whenComplete((answer, failure) -> {
            if (answer instanceof Admitted.Granted granted) {
                synchronized (leases) {
                    granted.grants()
                            .forEach(grant -> leases.add(new LeaseId(
                                    grant.leaseId(), grant.chain(), grant.slot(), target, grant.expiresAtMicros())));
                }
            }
        });
    }

    private CompletionStage<?> settle(LeaseId lease) {
        return store.settle(new Settlement(
                lease, Settlement.Evidence.SUCCESS, Settlement.Evidence.SUCCESS, Sign.SUCCESS, 250_000, true, false));
    }

    /** So many calls, a number of them in flight. */
    private Figure measure(int calls, IntFunction<CompletionStage<?>> call) {
        commands.configResetstat().toCompletableFuture().join();
        Deque<CompletionStage<?>> waiting = new ArrayDeque<>();
        long from = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            if (waiting.size() == IN_FLIGHT) {
                waiting.remove().toCompletableFuture().join();
            }
            waiting.add(call.apply(i));
        }
        waiting.forEach(stage -> stage.toCompletableFuture().join());
        double seconds = (System.nanoTime() - from) / 1e9;
        return new Figure(microsOfScripts(), calls / seconds);
    }

    private double microsOfScripts() {
        String stats = commands.info("commandstats").toCompletableFuture().join();
        for (String line : stats.split("\r\n")) {
            if (line.startsWith("cmdstat_evalsha:")) {
                return Double.parseDouble(line.replaceAll(".*usec_per_call=([0-9.]+).*", "$1"));
            }
        }
        return 0;
    }
}
