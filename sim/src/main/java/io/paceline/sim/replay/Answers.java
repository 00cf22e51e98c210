package io.paceline.sim.replay;

import io.paceline.Outcome.Blames;
import io.paceline.Outcome.Kind;
import io.paceline.sim.Dice;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What addresses and targets answered in a record, by cell and by windows of five minutes: the model of a replay.
 *
 * <p>An attempt is answered by a draw from what was observed nearest to it: of its cell in its window; of its cell in a
 * window up to half an hour away; else by two draws in its window, one of its address (a fault of the address stands),
 * one of its target; else of its target, its address, anybody, at any time. How often each had to serve is counted: the
 * further down, the less is known. Confined to one thread.
 */
final class Answers {
    static final long WINDOW_MICROS = 300_000_000;
    private static final int NEAR_WINDOWS = 6;
    private static final long ANY_TIME = Long.MIN_VALUE;
    private static final String ANYBODY = "";
    private static final List<Kind> KINDS = List.of(Kind.values());

    /** Where an answer came from, best known first. */
    enum Source {
        CELL("the same cell in the same five minutes"),
        CELL_NEAR("the same cell within half an hour"),
        HALVES("its address and its target, apart, in the same five minutes"),
        FAR("its target, its address or anybody, at another time");

        final String words;

        Source(String words) {
            this.words = words;
        }
    }

    /** An answer: its class, the time to the first byte (negative where unknown), and how long the lease was held. */
    record Answer(Kind kind, long latencyMicros, long heldMicros) {}

    private record Key(String address, String target, long window) {}

    /** Outcomes packed into longs: class, latency and time held in tenths of milliseconds. */
    private static final class Sample {
        private long[] packed = new long[4];
        private int size;

        void add(long outcome) {
            if (size == packed.length) {
                packed = Arrays.copyOf(packed, 2 * size);
            }
            packed[size++] = outcome;
        }

        Answer draw(double chance) {
            return unpack(packed[(int) (chance * size)]);
        }
    }

    private static final int TENTH_MILLI = 100;
    private static final long MOST = (1L << 28) - 2;

    private final Map<Key, Sample> samples = new HashMap<>();
    private final Map<Source, Long> used = new EnumMap<>(Source.class);
    private final Set<String> addresses = new TreeSet<>();

    void add(String address, String target, long atMicros, Kind kind, long latencyMicros, long heldMicros) {
        long packed = pack(kind, latencyMicros, heldMicros);
        long window = Math.floorDiv(atMicros, WINDOW_MICROS);
        addresses.add(address);
        for (long when : new long[] {window, ANY_TIME}) {
            sample(address, target, when).add(packed);
            sample(address, ANYBODY, when).add(packed);
            sample(ANYBODY, target, when).add(packed);
        }
        sample(ANYBODY, ANYBODY, ANY_TIME).add(packed);
    }

    private Sample sample(String address, String target, long window) {
        return samples.computeIfAbsent(new Key(address, target, window), key -> new Sample());
    }

    /** Addresses of which some outcome is known. */
    Set<String> addresses() {
        return addresses;
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    Map<Source, Long> used() {
        return used;
    }

    /** The answer to the attempt of that number, from that address, at that time. */
    Answer draw(Dice dice, long number, String address, String target, long atMicros) {
        double first = dice.at(number, 0);
        double second = dice.at(number, 1);
        long window = Math.floorDiv(atMicros, WINDOW_MICROS);
        Sample own = samples.get(new Key(address, target, window));
        if (own != null) {
            return from(Source.CELL, own.draw(first));
        }
        for (long away = 1; away <= NEAR_WINDOWS; away++) {
            Sample near = either(address, target, window - away, window + away);
            if (near != null) {
                return from(Source.CELL_NEAR, near.draw(first));
            }
        }
        Sample ofAddress = samples.get(new Key(address, ANYBODY, window));
        Sample ofTarget = samples.get(new Key(ANYBODY, target, window));
        if (ofAddress != null && ofTarget != null) {
            Answer address1 = ofAddress.draw(first);
            boolean itsFault = address1.kind().blames() == Blames.ADDRESS;
            return from(Source.HALVES, itsFault ? address1 : ofTarget.draw(second));
        }
        for (Key key : new Key[] {
            new Key(address, target, ANY_TIME),
            new Key(ANYBODY, target, ANY_TIME),
            new Key(address, ANYBODY, ANY_TIME),
            new Key(ANYBODY, ANYBODY, ANY_TIME)
        }) {
            Sample far = samples.get(key);
            if (far != null) {
                return from(Source.FAR, far.draw(first));
            }
        }
        throw new IllegalStateException("a record without outcomes has no answers");
    }

    private @Nullable Sample either(String address, String target, long one, long other) {
        Sample sample = samples.get(new Key(address, target, one));
        return sample != null ? sample : samples.get(new Key(address, target, other));
    }

    private Answer from(Source source, Answer answer) {
        used.merge(source, 1L, Long::sum);
        return answer;
    }

    private static long pack(Kind kind, long latencyMicros, long heldMicros) {
        long latency = latencyMicros < 0 ? 0 : 1 + Math.min(MOST, latencyMicros / TENTH_MILLI);
        long held = Math.min(MOST, Math.max(0, heldMicros) / TENTH_MILLI);
        return (long) KINDS.indexOf(kind) << 56 | latency << 28 | held;
    }

    private static Answer unpack(long packed) {
        long latency = packed >>> 28 & (1L << 28) - 1;
        long held = packed & (1L << 28) - 1;
        return new Answer(
                KINDS.get((int) (packed >>> 56)), latency == 0 ? -1 : (latency - 1) * TENTH_MILLI, held * TENTH_MILLI);
    }
}
