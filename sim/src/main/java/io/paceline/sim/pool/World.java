package io.paceline.sim.pool;

import io.paceline.sim.Dice;
import io.paceline.sim.Digest;
import io.paceline.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scenario under one policy and one seed, from its first request to its measures.
 *
 * <p>Arrivals, luck and faults depend on the seed alone, so every policy of a seed meets the same world.
 */
final class World {
    /** Tries that are under way at the end may still come in. */
    private static final long AFTERGLOW_MICROS = 3 * Truth.TIMEOUT_MICROS;

    private final Scenario.Plan plan;
    private final EventQueue events = new EventQueue(Time.START);
    private final Digest digest = new Digest();
    private final Dice arrivals;
    private final Dice draws;
    private final Truth truth;
    private final Verdicts verdicts;
    private final Meter meter;
    private final Policy policy;
    private final List<Integer> members = new ArrayList<>();
    private final @Nullable Clients clients;
    private final long endMicros;
    private long asked;

    World(Scenario scenario, Contestant contestant, long seed) {
        Dice dice = Dice.of(seed).stream(scenario.name());
        this.plan = scenario.plan().apply(dice.stream("plan"));
        this.arrivals = dice.stream("arrivals");
        this.draws = dice.stream("draws");
        this.truth = new Truth(plan.layout(), plan.faults(), dice);
        long measured = Time.START + plan.warmUpMicros();
        this.endMicros = measured + plan.lengthMicros();
        this.verdicts = new Verdicts(truth, plan.faults(), plan.layout().controls(), digest, measured);
        this.meter = new Meter(plan, measured, endMicros);
        House house = new House(events, dice.stream(contestant.word()), plan.layout(), plan.setup(), verdicts);
        this.policy = contestant.policy(house, truth, seed);
        int sessions = plan.load().sessions();
        this.clients = sessions == 0
                ? null
                : new Clients(sessions, plan.layout().sites().size(), dice);
        for (int i = 0; i < plan.layout().members(); i++) {
            members.add(i);
        }
    }

    RunResult run() {
        policy.members(List.copyOf(members));
        plan.changes().forEach(change -> events.at(change.atMicros(), () -> carryOut(change)));
        planArrival();
        events.runUntil(endMicros + AFTERGLOW_MICROS);
        return meter.result(verdicts, policy.violations(), events.ran(), digest.value());
    }

    private void planArrival() {
        double mean = plan.load().batch() / plan.load().perSecond();
        long at = events.nowMicros() + Time.micros(arrivals.exponential(mean));
        if (at < endMicros) {
            events.at(at, this::arrive);
        }
    }

    private void arrive() {
        for (int i = 0; i < plan.load().batch(); i++) {
            ask();
        }
        planArrival();
    }

    private void ask() {
        long number = asked++;
        if (clients == null) {
            int target = (int) (draws.at(number, 0) * plan.layout().sites().size());
            choose(new Policy.Ask(number, target, null), null, events.nowMicros());
        } else {
            Clients.Client client = clients.drawn(draws.at(number, 0), events.nowMicros(), policy::endSession);
            choose(new Policy.Ask(number, client.target, client.session), client, events.nowMicros());
        }
    }

    private void choose(Policy.Ask ask, Clients.@Nullable Client client, long arrivedAt) {
        policy.choose(ask, choice -> chosen(ask, client, arrivedAt, choice));
    }

    private void chosen(Policy.Ask ask, Clients.@Nullable Client client, long arrivedAt, Policy.Choice choice) {
        if (choice instanceof Policy.Choice.Use use) {
            attempt(ask, client, arrivedAt, use);
        } else if (choice instanceof Policy.Choice.SessionEnded && client != null && clients != null) {
            // Told so, the client begins a session anew and asks once more.
            meter.sessionEnded(arrivedAt);
            String ended = client.session;
            clients.renew(client, events.nowMicros());
            policy.endSession(ended);
            Policy.Ask again = new Policy.Ask(ask.number(), ask.target(), client.session);
            policy.choose(again, second -> {
                if (second instanceof Policy.Choice.Use use) {
                    attempt(again, client, arrivedAt, use);
                } else {
                    refused(ask, arrivedAt);
                }
            });
        } else {
            refused(ask, arrivedAt);
        }
    }

    private void refused(Policy.Ask ask, long arrivedAt) {
        digest.add(ask.number());
        meter.refused(ask.target(), arrivedAt, events.nowMicros());
    }

    private void attempt(Policy.Ask ask, Clients.@Nullable Client client, long arrivedAt, Policy.Choice.Use use) {
        long now = events.nowMicros();
        int address = use.address();
        if (client != null
                && ask.session() != null
                && client.rotatesTo(ask.session(), address)
                && !policy.announced(use)) {
            meter.rotated(arrivedAt);
        }
        boolean wasted = truth.wasted(address, ask.target(), now);
        Truth.Answer answer = truth.answer(ask.number(), address, ask.target(), now);
        digest.add(ask.number() << 16 | address);
        if (plan.load().lost() > 0 && draws.at(ask.number(), 1) < plan.load().lost()) {
            return; // the worker dies: nobody hears of it again
        }
        events.at(now + answer.latencyMicros(), () -> finished(ask, client, use, arrivedAt, answer, wasted));
    }

    private void finished(
            Policy.Ask ask,
            Clients.@Nullable Client client,
            Policy.Choice.Use use,
            long arrivedAt,
            Truth.Answer answer,
            boolean wasted) {
        if (client != null && ask.session() != null && answer.face().reachedSite()) {
            client.seen(ask.session(), use.address());
        }
        digest.add(answer.latencyMicros() << 10 | answer.face().status);
        verdicts.tried(use.address(), ask.target(), events.nowMicros());
        verdicts.faulty(answer.fault());
        meter.tried(ask.target(), arrivedAt, events.nowMicros(), answer.face(), wasted);
        policy.learn(ask, use, answer.face(), answer.latencyMicros());
    }

    private void carryOut(Change change) {
        Integer address = change.address();
        switch (change.kind()) {
            case ADD -> members.add(address);
            case REMOVE -> members.remove(address);
            case RESTART -> policy.restart();
        }
        if (change.kind() != Change.Kind.RESTART) {
            policy.members(List.copyOf(members));
        }
    }
}
