package io.paceline.sim.replay;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Transition;
import io.paceline.health.State;
import io.paceline.pool.PoolConfig;
import io.paceline.sim.Dice;
import io.paceline.sim.EventQueue;
import io.paceline.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drives the arrivals of a {@link Recording} through another configuration: the production gatekeeper and store in
 * virtual time, answers drawn from what was observed ({@link Answers}). The same seed gives the same report.
 */
public final class Replay {
    /** After the last arrival, whoever waits is answered within this time. */
    private static final long AFTERGLOW_MICROS = 3_900_000_000L;

    private static final int PROGRESS_PARTS = 10;

    private final List<Arrival> arrivals;
    private final Answers answers;
    private final Recording recording;
    private final Tally tally = new Tally();
    private final EventQueue events;
    private final Dice dice;
    private final Set<String> poolNames;
    private final EmbeddedGatekeeper gate;
    private final Consumer<String> progress;
    private final List<String> notes = new ArrayList<>();
    private int next;
    private long attempts;

    private Replay(Recording recording, GateConfig config, long seed, Consumer<String> progress) {
        this.recording = recording;
        this.arrivals = recording.inOrder();
        this.answers = recording.answers();
        this.progress = progress;
        this.events = new EventQueue(arrivals.get(0).askedMicros());
        this.dice = Dice.of(seed).stream("answers");
        this.poolNames = config.pools().stream()
                .map(pool -> pool.settings().name())
                .collect(Collectors.toCollection(TreeSet::new));
        GateConfig withAddresses = new GateConfig(
                config.pools().stream().map(this::withAddresses).toList(),
                config.targets(),
                config.rules(),
                config.tenants());
        this.gate = EmbeddedGatekeeper.builder(
                        new MemoryStore(events::nowMicros), events::nowMicros, events::at, new SharedRandom(seed))
                .listener(new Ears())
                .start(withAddresses)
                .toCompletableFuture()
                .join();
    }

    /**
     * Replays it.
     *
     * @param config the configuration to try; its addresses count where the record has met them
     * @param progress is told ten times how far it is
     * @throws IllegalArgumentException where the record has no requests or no outcomes to replay
     */
    public static ReplayReport run(Recording recording, GateConfig config, long seed, Consumer<String> progress) {
        if (recording.size() == 0 || recording.answers().isEmpty()) {
            throw new IllegalArgumentException("the record has "
                    + (recording.size() == 0 ? "no requests" : "no outcomes, so nothing is known of any answer")
                    + ": there is nothing to replay");
        }
        return new Replay(recording, config, seed, progress).run();
    }

    private ReplayReport run() {
        planNext();
        long last = arrivals.get(arrivals.size() - 1).askedMicros();
        events.runUntil(last + AFTERGLOW_MICROS);
        gate.close();
        Map<String, Long> sources = new LinkedHashMap<>();
        for (Answers.Source source : Answers.Source.values()) {
            sources.put(source.words, answers.used().getOrDefault(source, 0L));
        }
        if (recording.droppedLines() > 0) {
            notes.add("the record itself lacks " + recording.droppedLines()
                    + " lines that were dropped as it was written");
        }
        return new ReplayReport(recording.tally().side(), tally.side(), sources, notes);
    }

    // ---- addresses

    /** The configured ones that the record has met, else the recorded ones: an address nobody met has no answers. */
    private PoolConfig withAddresses(PoolConfig pool) {
        String name = pool.settings().name();
        List<Address> met = pool.addresses().stream()
                .filter(address -> answers.addresses().contains(address.id()))
                .toList();
        if (!met.isEmpty()) {
            int unknown = pool.addresses().size() - met.size();
            if (unknown > 0) {
                notes.add("pool " + name + ": " + unknown
                        + " configured addresses are not in the record and are left out: nothing is known of them");
            }
            return new PoolConfig(pool.settings(), met);
        }
        Set<String> recorded = recording.addressesOf(name);
        notes.add("pool " + name + ": none of its configured addresses is in the record, so the " + recorded.size()
                + " recorded ones serve, without tags and at weight 1 (ids are the same only with the data folder of"
                + " the recorded run: --data)");
        return new PoolConfig(
                pool.settings(), recorded.stream().map(Replay::nameless).toList());
    }

    private static Address nameless(String id) {
        Endpoint nowhere = new Endpoint(Endpoint.Scheme.HTTP, id + ".invalid", 1, null);
        return new Address(id, nowhere, new TreeMap<>(), 1, false);
    }

    // ---- arrivals

    private void planNext() {
        if (next < arrivals.size()) {
            events.at(arrivals.get(next).askedMicros(), this::arrive);
        }
    }

    private void arrive() {
        Arrival arrival = arrivals.get(next++);
        int part = Math.max(1, arrivals.size() / PROGRESS_PARTS);
        if (next % part == 0 && arrivals.size() >= 100_000) {
            progress.accept("replayed " + next + " of " + arrivals.size() + " requests");
        }
        planNext();
        gate.acquire(request(arrival)).whenComplete((decision, failure) -> {
            if (failure != null) {
                throw new IllegalStateException("a request of the record failed", failure);
            }
            answered(arrival, decision);
        });
    }

    /** Held until its slot comes: a recorded ticket came back as a request of its own. */
    private Request request(Arrival arrival) {
        Arrival.Wanted wanted = arrival.wanted();
        return Request.builder("https://" + bracketed(arrival.host()) + "/")
                .session(arrival.session())
                .clientId(arrival.client() == null ? "" : arrival.client())
                .pool(pool(arrival))
                .task(arrival.task())
                .tags(arrival.tags())
                .tenant(arrival.tenant())
                .maxWait(wanted.maxWaitMicros() < 0 ? null : Duration.ofNanos(1_000 * wanted.maxWaitMicros()))
                .count(arrival.session() == null ? wanted.count() : 1)
                .cost(wanted.cost())
                .priority(wanted.priority())
                .lease(wanted.releases())
                .build();
    }

    /** The recorded pool where the configuration has it and does not route by itself; else whatever it routes to. */
    private @Nullable String pool(Arrival arrival) {
        return poolNames.size() > 1 && poolNames.contains(arrival.pool()) ? arrival.pool() : null;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private void answered(Arrival arrival, Decision decision) {
        if (decision instanceof Decision.Granted granted) {
            String target = granted.lease().target().name();
            tally.granted(target, granted.leases().size(), events.nowMicros() - arrival.askedMicros());
            granted.leases().forEach(lease -> attempt(lease, target));
        } else if (decision instanceof Decision.Refused refused) {
            tally.refused(arrival.host(), refused.reason().word());
        } else {
            throw new IllegalStateException("a held request was answered with a ticket");
        }
    }

    private void attempt(Lease lease, String target) {
        Answers.Answer answer = answers.draw(dice, attempts++, lease.address().id(), target, events.nowMicros());
        var id = lease.id();
        if (id == null) {
            return; // nobody reports what becomes of a permit without a release
        }
        events.in(Math.max(1, answer.heldMicros()), () -> {
            tally.outcome(target, answer.kind());
            gate.settle(id, outcome(answer));
        });
    }

    private static Outcome outcome(Answers.Answer answer) {
        return answer.kind() == Kind.SUCCESS || answer.latencyMicros() >= 0
                ? Outcome.of(answer.kind(), answer.latencyMicros())
                : Outcome.of(answer.kind());
    }

    /** Hears whom the gatekeeper puts out. */
    private final class Ears implements GateListener {
        @Override
        public void transition(Transition transition) {
            if (transition.to().state() == State.QUARANTINED) {
                tally.putOut();
            }
        }
    }
}
