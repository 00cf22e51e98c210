package io.paceline.scale;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Who goes when the fleet shrinks: those that start, then the idle, then the least busy, the youngest of equals first. */
public final class Victims {

    private static final Comparator<Worker> ORDER = Comparator.comparing(Worker::ready)
            .thenComparingInt(Worker::tasks)
            .thenComparing(Comparator.comparingLong(Worker::startedMicros).reversed())
            .thenComparing(Worker::id);

    private Victims() {}

    /**
     * One worker that is not draining.
     *
     * @param id its name in the fleet
     * @param ready false while it starts
     * @param tasks tasks that it holds
     * @param startedMicros when it was started
     */
    public record Worker(String id, boolean ready, int tasks, long startedMicros) {}

    /** The ids of those to drain, at most {@code count}. */
    public static List<String> pick(List<Worker> workers, int count) {
        return workers.stream().sorted(ORDER).limit(count).map(Worker::id).collect(Collectors.toList());
    }
}
