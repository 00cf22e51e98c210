package io.paceline.bench;

import io.github.bucket4j.Bucket;
import io.paceline.Target;
import io.paceline.pace.Gcra;
import io.paceline.pace.GcraLimiter;
import io.paceline.pace.HostPattern;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Plan;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.SlidingWindow;
import io.paceline.pace.TargetUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One hot limit, by itself and under a lock as the store holds it, beside bucket4j; matching of rules. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class PaceBench {
    private static final int RULES = 10_000;

    /** One limit by itself that all threads charge. Its burst outlasts a run: a refusal would cost less. */
    @State(Scope.Benchmark)
    public static class Limiter {
        private final GcraLimiter limiter = new GcraLimiter(new LimitSpec.Gcra(1, Integer.MAX_VALUE));
    }

    /** The same in the store's way: the number stands under the lock that all of its limits share. */
    @State(Scope.Benchmark)
    public static class GcraKey {
        private final ReentrantLock lock = new ReentrantLock();
        private final LimitSpec.Gcra spec = new LimitSpec.Gcra(1, Integer.MAX_VALUE);
        private long tat;

        boolean take(long nowMicros) {
            lock.lock();
            try {
                if (Gcra.startAt(tat, nowMicros, spec, 1) > nowMicros) {
                    return false;
                }
                tat = Gcra.advance(tat, nowMicros, spec, 1);
                return true;
            } finally {
                lock.unlock();
            }
        }
    }

    /** One sliding window that all threads charge: exact for 60 a minute, counted above. */
    @State(Scope.Benchmark)
    public static class WindowKeys {
        private final ReentrantLock lock = new ReentrantLock();
        private final SlidingWindow exact = SlidingWindow.of(new LimitSpec.Window(60, 60_000_000));
        private final SlidingWindow counted = SlidingWindow.of(new LimitSpec.Window(1_000_000_000, 1_000_000));

        boolean take(SlidingWindow window, long nowMicros) {
            lock.lock();
            try {
                long at = window.startAt(nowMicros, 1);
                if (at > nowMicros) {
                    return false;
                }
                window.take(at, 1);
                return true;
            } finally {
                lock.unlock();
            }
        }
    }

    /** bucket4j's token bucket with its default, lock-free strategy; it never runs empty either. */
    @State(Scope.Benchmark)
    public static class Rival {
        private final Bucket bucket = Bucket.builder()
                .addLimit(limit -> limit.capacity(1L << 40).refillGreedy(1_000_000_000, Duration.ofSeconds(1)))
                .build();
    }

    /** Ten thousand rules, of which two speak about the URL asked for. */
    @State(Scope.Benchmark)
    public static class Book {
        private final RuleBook rules = book();
        private final TargetUrl url = TargetUrl.parse("https://www.shop77.example/product/1");
        private final Target target = Target.of("shop77.example");

        private static RuleBook book() {
            List<Rule> rules = new ArrayList<>();
            for (int i = 0; i < RULES; i++) {
                rules.add(Rule.builder(HostPattern.parse(".shop" + i + ".example"))
                        .limit(50)
                        .window(Duration.ofMinutes(1))
                        .build());
            }
            rules.add(Rule.builder(HostPattern.parse("*")).concurrency(4).build());
            return RuleBook.of(rules);
        }
    }

    /**
     * Ten thousand rules of every kind: hosts, wildcards, URL prefixes, a thousand regexes of which ten name no domain.
     */
    @State(Scope.Benchmark)
    public static class MixedBook {
        private final RuleBook rules = book();
        private final TargetUrl url = TargetUrl.parse("https://www.shop77.example/product/1");
        private final Target target = Target.of("shop77.example");

        private static RuleBook book() {
            List<Rule> rules = new ArrayList<>();
            for (int i = 0; i < RULES; i++) {
                rules.add(Rule.builder(HostPattern.parse(pattern(i)))
                        .name("r" + i)
                        .limit(50)
                        .window(Duration.ofMinutes(1))
                        .build());
            }
            rules.add(Rule.builder(HostPattern.parse("*")).concurrency(4).build());
            return RuleBook.of(rules);
        }

        private static String pattern(int i) {
            String host = "shop" + i / 10 + ".example";
            return switch (i % 10) {
                case 0 -> host;
                case 1, 2 -> "www" + i % 10 + "." + host;
                case 3, 4 -> "*." + host;
                case 5 -> "." + host;
                case 6 -> "https://www." + host + "/product/";
                case 7, 8 -> "www." + host + "/path" + i % 10 + "/";
                default ->
                    i % 1_000 == 9
                            ? "regex:.*shop" + i + "-[a-z]+.*"
                            : "regex:img[0-9]+\\.shop" + i / 10 + "\\.example";
            };
        }
    }

    private static long now() {
        return System.nanoTime() / 1_000;
    }

    @Benchmark
    public boolean gcra(Limiter own) {
        return own.limiter.tryTake(now(), 1) == 0;
    }

    @Benchmark
    public boolean gcraUnderLock(GcraKey key) {
        return key.take(now());
    }

    @Benchmark
    public boolean windowExact(WindowKeys keys) {
        return keys.take(keys.exact, now());
    }

    @Benchmark
    public boolean windowCounted(WindowKeys keys) {
        return keys.take(keys.counted, now());
    }

    @Benchmark
    public boolean bucket4j(Rival rival) {
        return rival.bucket.tryConsume(1);
    }

    /** What a host costs that no request has named before; later ones find the plan by host. */
    @Benchmark
    public Plan planAmongTenThousandRules(Book book) {
        return book.rules.plan(book.url, book.target);
    }

    @Benchmark
    public Plan planAmongTenThousandRulesOfEveryKind(MixedBook book) {
        return book.rules.plan(book.url, book.target);
    }

    @Benchmark
    public TargetUrl parseUrl() {
        return TargetUrl.parse("https://www.shop77.example/product/1");
    }
}
