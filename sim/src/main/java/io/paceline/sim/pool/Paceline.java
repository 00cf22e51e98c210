package io.paceline.sim.pool;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Prober;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Target;
import io.paceline.Transition;
import io.paceline.health.ControlUrl;
import io.paceline.health.State;
import io.paceline.health.Verdict;
import io.paceline.pace.HostPattern;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.store.DelayedStore;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The product itself: the production gatekeeper over the production store, with the event queue as its clock and alarm.
 * One instance, or several that share the store over a bad network.
 */
final class Paceline implements Policy {

    private final House house;
    private final long seed;
    private final Prober prober;
    private final Auditor auditor;
    private MemoryStore memory;
    private final StateStore store;
    private final List<@Nullable EmbeddedGatekeeper> gates = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final Map<String, Integer> placeOfAddress = new HashMap<>();
    private final Map<String, Integer> placeOfTarget = new HashMap<>();
    private final TargetBook targets;
    private List<Integer> members = List.of();
    private int starts;

    /** @param prober asks the control URLs that the setup names */
    Paceline(House house, Prober prober, long seed) {
        this.house = house;
        this.prober = prober;
        this.seed = seed;
        this.memory = new MemoryStore(house::now);
        this.auditor = new Auditor(memory, house.setup().settings(), house::now);
        this.store = auditor;
        for (Address address : house.layout().addresses()) {
            placeOfAddress.put(address.id(), placeOfAddress.size());
        }
        for (Site site : house.layout().sites()) {
            placeOfTarget.put(site.name(), placeOfTarget.size());
            requests.add(request(site).build());
        }
        // Named, so that no list of public suffixes has to be read.
        this.targets = TargetBook.of(house.layout().sites().stream()
                .map(site -> new TargetSettings(HostPattern.parse(site.name()), site.name(), null))
                .toList());
    }

    private Request.Builder request(Site site) {
        return Request.builder(site.url()).maxWait(house.setup().maxWait());
    }

    @Override
    public void members(List<Integer> addresses) {
        members = List.copyOf(addresses);
        if (gates.isEmpty()) {
            begin();
        } else {
            gates.forEach(gate -> {
                if (gate != null) {
                    gate.configure(config());
                }
            });
        }
    }

    private void begin() {
        for (int i = 0; i < house.setup().instances(); i++) {
            gates.add(null);
            begin(i);
        }
    }

    private void begin(int instance) {
        long own =
                (long) (house.dice().stream("gate-" + instance + "-" + starts++).next() * Long.MAX_VALUE);
        DelayedStore.Faults network = house.setup().network();
        StateStore seen = network == null
                ? store
                : new DelayedStore(store, house::now, house.events()::at, new SharedRandom(own + 1), network);
        EmbeddedGatekeeper.builder(seen, house::now, house.events()::at, new SharedRandom(own ^ seed))
                .listener(new Ears())
                .prober(prober)
                .start(config())
                .thenAccept(gate -> gates.set(instance, gate));
    }

    private GateConfig config() {
        List<Address> addresses =
                members.stream().map(house.layout().addresses()::get).toList();
        return new GateConfig(
                List.of(new PoolConfig(house.setup().settings(), addresses)),
                targets,
                house.setup().rules());
    }

    /** Hears whom the gatekeepers put out, and whom they hold to be guilty. */
    private final class Ears implements GateListener {
        @Override
        public void controlUrl(ControlUrl url) {
            if (!url.alive()) {
                house.verdicts().alarm(url.name(), house.now());
            }
        }

        @Override
        public void verdict(String pool, Verdict.Guilty guilty, String name, @Nullable Verdict verdict) {
            Integer site = placeOfTarget.get(name);
            if (verdict == null) {
                wellAgain(guilty, name, site);
            } else if (guilty == Verdict.Guilty.OWN_SIDE) {
                house.verdicts().ownSideGuilty(house.now());
            } else if (guilty == Verdict.Guilty.TAG) {
                house.verdicts().providerGuilty(name.substring(name.indexOf('=') + 1), house.now());
            } else if (site != null) {
                house.verdicts().targetGuilty(site, house.now());
            }
        }

        private void wellAgain(Verdict.Guilty guilty, String name, @Nullable Integer site) {
            switch (guilty) {
                case OWN_SIDE -> house.verdicts().wellAgain(Fault.Subject.OWN, "null");
                case TAG -> house.verdicts().wellAgain(Fault.Subject.PROVIDER, name.substring(name.indexOf('=') + 1));
                case TARGET -> house.verdicts().wellAgain(Fault.Subject.TARGET, String.valueOf(site));
                case ADDRESS, CELL -> {}
            }
        }

        @Override
        public void transition(Transition transition) {
            Integer address = placeOfAddress.get(transition.addressId());
            String target = transition.target();
            Integer site = target == null ? Integer.valueOf(-1) : placeOfTarget.get(target);
            if (address == null || site == null) {
                return;
            }
            if (transition.to().state() == State.QUARANTINED) {
                out(address, site);
            } else if (transition.to().spared()) {
                spared(address, site);
            }
        }

        private void out(int address, int site) {
            if (site < 0) {
                house.verdicts().addressOut(address, house.now());
            } else {
                house.verdicts().cellOut(address, site, house.now());
            }
        }

        private void spared(int address, int site) {
            if (site < 0) {
                house.verdicts().addressSpared(address, house.now());
            } else {
                house.verdicts().cellSpared(address, site, house.now());
            }
        }
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        EmbeddedGatekeeper gate = gateFor(ask.number());
        if (gate == null) {
            then.accept(new Choice.Refused("starting"));
            return;
        }
        Site site = house.layout().sites().get(ask.target());
        Request request = ask.session() == null
                ? requests.get(ask.target())
                : request(site).session(ask.session()).build();
        CompletionStage<Decision> answer = gate.acquire(request);
        if (known(answer) instanceof Decision decision) {
            decided(gate, ask, decision, then);
        } else {
            answer.whenComplete((decision, failure) -> {
                if (failure == null) {
                    decided(gate, ask, decision, then);
                } else {
                    auditor.report("a request failed: " + failure);
                }
            });
        }
    }

    /** An answer that is there already needs no callback. */
    private static @Nullable Object known(CompletionStage<Decision> answer) {
        return answer instanceof CompletableFuture<Decision> future && !future.isCompletedExceptionally()
                ? future.getNow(null)
                : null;
    }

    private void decided(EmbeddedGatekeeper gate, Ask ask, Decision decision, Consumer<Choice> then) {
        noteRefusal(gate, ask, decision);
        then.accept(choice(decision));
    }

    /** With several instances over a slow network each may honestly believe an address taken that has just become free;
     * so may one that is being replaced. */
    private void noteRefusal(EmbeddedGatekeeper gate, Ask ask, Decision decision) {
        if (decision instanceof Decision.Refused refused
                && refused.reason() == Reason.NO_ADDRESS
                && ask.session() == null
                && gates.equals(List.of(gate))) {
            auditor.refusedForWantOfAddress(
                    Target.of(house.layout().sites().get(ask.target()).name()).hash());
        }
    }

    private @Nullable EmbeddedGatekeeper gateFor(long number) {
        return gates.isEmpty() ? null : gates.get((int) (number % gates.size()));
    }

    private Choice choice(Decision decision) {
        return decision.match(
                granted -> used(granted.lease()),
                reserved -> new Choice.Refused("reserved"),
                refused -> refused.reason() == Reason.SESSION_ENDED
                        ? new Choice.SessionEnded()
                        : new Choice.Refused(refused.reason().word()));
    }

    private Choice used(Lease lease) {
        Integer address = placeOfAddress.get(lease.address().id());
        if (address == null) {
            throw new IllegalStateException(lease.address().id() + " is not of this world");
        }
        return new Choice.Use(address, lease);
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        LeaseId id = ((Lease) use.receipt()).id();
        EmbeddedGatekeeper gate = gateFor(ask.number());
        if (id != null && gate != null) {
            gate.settle(id, face.outcome(latencyMicros));
        }
    }

    @Override
    public void restart() {
        // What is written down is all that a new process has.
        memory = MemoryStore.restore(house::now, memory.snapshot());
        auditor.goesOnWith(memory);
        for (int i = 0; i < gates.size(); i++) {
            EmbeddedGatekeeper gate = gates.get(i);
            if (gate != null) {
                gate.close();
            }
            gates.set(i, null);
            begin(i);
        }
    }

    @Override
    public void endSession(String session) {
        EmbeddedGatekeeper gate = gateFor(0);
        if (gate != null) {
            gate.endSession("", null, session);
        }
    }

    @Override
    public boolean announced(Choice.Use use) {
        return ((Lease) use.receipt()).migrated();
    }

    @Override
    public List<String> violations() {
        return auditor.violations();
    }
}
