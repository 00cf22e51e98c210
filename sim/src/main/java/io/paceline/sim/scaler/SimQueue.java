package io.paceline.sim.scaler;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The waiting tasks, first come first served; those of paused targets stand aside until their time. */
final class SimQueue {

    private final List<Task> tasks = new ArrayList<>();
    private final List<Task> aside = new ArrayList<>();
    private int head;

    void add(Task task, long nowMicros) {
        if (task.pausedUntilMicros > nowMicros) {
            aside.add(task);
        } else {
            tasks.add(task);
        }
    }

    /** Lets those back in whose targets are no longer paused. */
    void release(long nowMicros) {
        aside.removeIf(task -> {
            boolean free = task.pausedUntilMicros <= nowMicros;
            if (free) {
                tasks.add(task);
            }
            return free;
        });
    }

    Optional<Task> take() {
        if (head == tasks.size()) {
            return Optional.empty();
        }
        Task task = tasks.get(head++);
        if (head > 1000 && head * 2 > tasks.size()) {
            tasks.subList(0, head).clear();
            head = 0;
        }
        return Optional.of(task);
    }

    int runnable() {
        return tasks.size() - head;
    }

    int waiting() {
        return runnable() + aside.size();
    }

    /** How many will still be paused at that time. */
    int pausedAt(long micros) {
        return (int) aside.stream().filter(t -> t.pausedUntilMicros > micros).count();
    }

    /** The runnable task at that quarter of the queue, 0 the head, 4 the tail; the queue must not be empty. */
    Task atQuarter(int quarter) {
        return tasks.get(head + (int) ((runnable() - 1L) * quarter / 4));
    }
}
