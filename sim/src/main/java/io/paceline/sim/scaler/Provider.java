package io.paceline.sim.scaler;

import io.paceline.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where attempts run: at most so many at full speed; more slow each other down in proportion (processor sharing).
 *
 * <p>Progress is kept on one virtual clock that runs slower the fuller it is; an attempt ends when that clock reaches its
 * start plus its work, so that a change of speed moves one event and not all.
 */
final class Provider {

    private final EventQueue events;
    private final int atOnce;
    private final Consumer<Attempt> ended;
    private final TreeMap<Double, List<Attempt>> running = new TreeMap<>();
    private int count;
    private double progress;
    private long progressAtMicros;
    private long version;

    Provider(EventQueue events, int atOnce, Consumer<Attempt> ended) {
        this.events = events;
        this.atOnce = atOnce;
        this.ended = ended;
        this.progressAtMicros = events.nowMicros();
    }

    void begin(Attempt attempt, double workSeconds) {
        advance();
        attempt.endsAtProgress = progress + workSeconds;
        running.computeIfAbsent(attempt.endsAtProgress, p -> new ArrayList<>(1)).add(attempt);
        count++;
        schedule();
    }

    void cancel(Attempt attempt) {
        advance();
        List<Attempt> same = running.get(attempt.endsAtProgress);
        if (same != null && same.remove(attempt)) {
            count--;
            if (same.isEmpty()) {
                running.remove(attempt.endsAtProgress);
            }
        }
        schedule();
    }

    private double speed() {
        return count <= atOnce ? 1 : atOnce / (double) count;
    }

    private void advance() {
        long now = events.nowMicros();
        progress += Time.seconds(now - progressAtMicros) * speed();
        progressAtMicros = now;
    }

    private void schedule() {
        long mine = ++version;
        if (running.isEmpty()) {
            return;
        }
        double left = Math.max(0, running.firstKey() - progress);
        events.in(Time.micros(left / speed()), () -> fire(mine));
    }

    private void fire(long mine) {
        if (mine != version) {
            return;
        }
        advance();
        var first = running.pollFirstEntry();
        progress = Math.max(progress, first.getKey());
        count -= first.getValue().size();
        schedule();
        first.getValue().forEach(ended);
    }
}
