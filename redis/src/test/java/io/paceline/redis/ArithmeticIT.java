package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.paceline.pace.Charge;
import io.paceline.pace.FixedWindow;
import io.paceline.pace.Gcra;
import io.paceline.pace.HintClock;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.SlidingWindow;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Java's arithmetic of limits against Lua's, over a million random steps: up to a thousand steps go into one call of a script
 * of the tests that takes, refuses, reserves and gives back with the functions of the product's own scripts.
 */
class ArithmeticIT {
    private static final int STEPS_A_CALL = 1_000;
    /** Of each kind of limit: all of them together a million. */
    private static final int STEPS = Integer.getInteger("paceline.arithmetic.steps", 150_000);

    /** Steps of 17 octets: what to do, the time, and for a refund the mark. Answers are starts, and 1 or 0 for refunds. */
    private static final String LOOP = """
            local charge, limit, out = parse_charge(ARGV[1], ARGV[3]), {key = PREFIX .. 'r:arithmetic'}, {}
            local raw = redis.call('GET', limit.key)
            if raw then
              limit = parse_limit(limit.key, raw)
            else
              fresh(limit, charge.type, charge.a, charge.b, charge.zone)
            end
            for at = 1, #ARGV[2], 17 do
              local what, time, mark = read('<Bdd', ARGV[2], at)
              now = time
              if what == 2 then
                limits[limit.key] = limit
                give_back({key = limit.key, type = charge.type, mark = mark, a = charge.a, b = charge.b, cost = 1})
                out[#out + 1] = pack('<d', used_of(limit))
              else
                local start = start_at(limit, charge)
                out[#out + 1] = pack('<d', start)
                if start <= now or what == 1 then
                  out[#out + 1] = pack('<d', take(limit, start, charge))
                end
              end
            end
            redis.call('SET', limit.key, pack('<BBdd', limit.type, 0, limit.hint, 0) .. state_of(limit), 'PX', 3600000)
            return table.concat(out)
            """;

    private static final Script SCRIPT = new Scripts("local now = 0\n").with("arithmetic", LOOP);

    private static final RedisCommands<byte[], byte[]> COMMANDS =
            TestRedis.shared().commands();

    static Stream<LimitSpec> specs() {
        return Stream.of(
                new LimitSpec.Gcra(333_333, 1),
                new LimitSpec.Gcra(1, 1_000_000),
                new LimitSpec.Window(5, 1_000_000),
                new LimitSpec.Window(64, 777_777),
                new LimitSpec.Window(65, 1_000_003),
                new LimitSpec.Window(100_000, 31L * 86_400_000_000L),
                new LimitSpec.Calendar(30, 60_000_000, ZoneId.of("UTC")));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void bothCountAlike(LimitSpec spec) {
        COMMANDS.flushall();
        RandomGenerator random = Seeds.random(spec.hashCode());
        Model model = new Model(spec);
        long now = VirtualTime.START_MICROS;
        // A calendar's boundaries are sent for two windows ahead.
        boolean calendar = spec instanceof LimitSpec.Calendar;
        long sent = spec instanceof LimitSpec.Calendar c ? c.windowMicros() : Long.MAX_VALUE / 4;
        int jump = calendar ? 20 : 70;
        long interval = HintClock.intervalMicros(spec);
        byte[] key = "{arithmetic}:x".getBytes(StandardCharsets.UTF_8);
        for (int step = 0; step < STEPS; ) {
            Packer steps = new Packer();
            Packer expected = new Packer();
            Charge charge = Charge.of("r", "k", spec, 0, false);
            Packer packed = new Packer();
            Charges.pack(packed, charge);
            List<byte[]> windows = new ArrayList<>();
            Charges.calendars(List.of(charge), now, windows);
            long end = now + sent;
            for (int i = 0; i < STEPS_A_CALL && now <= end; i++) {
                step++;
                now += random.nextInt(50) == 0 ? random.nextLong(jump * interval) : random.nextLong(2 * interval);
                int what = random.nextInt(10) == 0 ? 2 : random.nextInt(3) == 0 && model.mayReserve(now) ? 1 : 0;
                steps.octet(what).number(now).number(model.last);
                model.step(what, now, expected);
            }
            byte[] found = COMMANDS.eval(
                    SCRIPT.text().getBytes(StandardCharsets.UTF_8),
                    ScriptOutputType.VALUE,
                    new byte[][] {key},
                    packed.done(),
                    steps.done(),
                    windows.isEmpty() ? new byte[0] : windows.get(0));
            assertThat(found).as("%s, up to step %d", spec, step).isEqualTo(expected.done());
        }
    }

    /** The same steps by core's own classes. */
    private static final class Model {
        private final LimitSpec spec;
        private final SlidingWindow window;
        private final FixedWindow calendar;
        private long tat;
        private long last;

        Model(LimitSpec spec) {
            this.spec = spec;
            this.window = SlidingWindow.of(spec instanceof LimitSpec.Window w ? w : new LimitSpec.Window(1, 1));
            this.calendar = new FixedWindow(
                    spec instanceof LimitSpec.Calendar c ? c : new LimitSpec.Calendar(1, 60_000_000, ZoneId.of("UTC")));
        }

        private long startAt(long now) {
            if (spec instanceof LimitSpec.Gcra gcra) {
                return Gcra.startAt(tat, now, gcra, 1);
            }
            return spec instanceof LimitSpec.Window ? window.startAt(now, 1) : calendar.startAt(now, 1);
        }

        boolean mayReserve(long now) {
            return startAt(now) - now < 3_000_000_000L;
        }

        void step(int what, long now, Packer told) {
            if (what == 2) {
                giveBack();
                told.number(used(now));
                return;
            }
            long start = startAt(now);
            told.number(start);
            if (start <= now || what == 1) {
                take(start);
                told.number(last);
            }
        }

        private void take(long at) {
            if (spec instanceof LimitSpec.Gcra gcra) {
                tat = Gcra.advance(tat, at, gcra, 1);
                last = tat;
            } else {
                if (spec instanceof LimitSpec.Window) {
                    window.take(at, 1);
                } else {
                    calendar.take(at, 1);
                }
                last = at;
            }
        }

        private void giveBack() {
            if (spec instanceof LimitSpec.Gcra gcra) {
                tat = Gcra.giveBack(tat, last, gcra, 1);
            } else if (spec instanceof LimitSpec.Window) {
                window.giveBack(last, 1);
            } else {
                calendar.giveBack(last, 1);
            }
        }

        private long used(long now) {
            if (spec instanceof LimitSpec.Gcra gcra) {
                return (Math.max(0, tat - now) + gcra.intervalMicros() - 1) / gcra.intervalMicros();
            }
            return spec instanceof LimitSpec.Window w
                    ? w.limit() - window.freeNow(now)
                    : ((LimitSpec.Calendar) spec).limit() - calendar.freeNow(now);
        }
    }
}
