package io.paceline.service.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether new work is taken. Written by the service, read by every event loop. */
public final class Readiness {

    private volatile boolean ready;
    private volatile boolean draining;
    private volatile @Nullable String degraded;
    private volatile Supplier<Optional<String>> journal = Optional::empty;
    private final List<Runnable> onDrain = new CopyOnWriteArrayList<>();

    /** Everything is wired and listens. */
    public void ready() {
        ready = true;
    }

    /** Where to ask what is wrong with the journal; nothing is, without one. New work is taken all the same. */
    public void journal(Supplier<Optional<String>> trouble) {
        journal = trouble;
    }

    Optional<String> journalTrouble() {
        return journal.get();
    }

    /** From now on nothing new begins; what runs may end. */
    public void drain() {
        draining = true;
        onDrain.forEach(Runnable::run);
    }

    /** Whether, and how, this instance goes on without the shared store: it takes work all the same. Null where it has it. */
    public void degraded(@Nullable String detail) {
        degraded = detail;
    }

    public boolean isDegraded() {
        return degraded != null;
    }

    @Nullable
    String degraded() {
        return degraded;
    }

    /** Is run by {@link #drain}, after which {@link #isDraining} is true. */
    void onDrain(Runnable task) {
        onDrain.add(task);
    }

    boolean isReady() {
        return ready && !draining;
    }

    boolean isDraining() {
        return draining;
    }
}
