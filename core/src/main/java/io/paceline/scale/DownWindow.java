package io.paceline.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The needs of the last moments: the fleet shrinks to the largest of them, and never because of one quiet instant.
 *
 * <p>The window only delays going down; it never raises a count. One that has not seen its whole length yet (after a
 * start without memory) allows no step down at all.
 *
 * @param sinceMicros since when it has been watching without a gap
 */
record DownWindow(long sinceMicros, List<At> needs) {

    static final DownWindow EMPTY = new DownWindow(Long.MAX_VALUE, List.of());

    /** A need in workers and when it was seen. */
    record At(long atMicros, int workers) {}

    DownWindow {
        needs = List.copyOf(needs);
    }

    DownWindow with(long nowMicros, int workers, long lengthMicros) {
        List<At> kept = new ArrayList<>(needs);
        kept.removeIf(n -> n.atMicros < nowMicros - lengthMicros);
        kept.add(new At(nowMicros, workers));
        return new DownWindow(Math.min(sinceMicros, nowMicros), kept);
    }

    boolean full(long nowMicros, long lengthMicros) {
        return nowMicros - sinceMicros >= lengthMicros;
    }

    /** Where to go from {@code current}: the largest recent need, never more than current. */
    int floorFor(int current) {
        int largest = needs.stream().mapToInt(At::workers).max().orElse(current);
        return Math.min(current, largest);
    }

    String toText() {
        return sinceMicros
                + (needs.isEmpty() ? "" : ",")
                + needs.stream().map(n -> n.atMicros + ":" + n.workers).collect(Collectors.joining(","));
    }

    static DownWindow parse(String text) {
        String[] parts = text.split(",");
        List<At> needs = Arrays.stream(parts)
                .skip(1)
                .map(p -> p.split(":"))
                .map(p -> new At(Long.parseLong(p[0]), Integer.parseInt(p[1])))
                .collect(Collectors.toList());
        return new DownWindow(Long.parseLong(parts[0]), needs);
    }
}
