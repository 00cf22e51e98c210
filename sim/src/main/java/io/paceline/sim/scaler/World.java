package io.paceline.sim.scaler;

import io.paceline.scale.Goal;
import io.paceline.scale.ScaleDecision;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.SharedBudget;
import io.paceline.sim.Dice;
import io.paceline.sim.Digest;
import io.paceline.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One scenario under one policy and one seed, from its first event to its measures. */
final class World {

    /** A queue is well again when its oldest task has waited no longer. */
    private static final double WELL_SECONDS = 60;

    private final Scenario scenario;
    private final EventQueue events;
    private final Digest digest = new Digest();
    private final List<Member> members = new ArrayList<>();
    private final BiConsumer<Long, ScaleDecision> listener;
    private double recoveredAt = Double.NaN;
    private int sharedBreaches;

    /** A crew with its scaler and its watch. */
    static final class Member {
        final CrewSpec spec;
        final Crew crew;
        final SimMonitor monitor;
        final Pilot<?> pilot;
        final Watch watch;

        @Nullable
        ScaleDecision last;

        Member(CrewSpec spec, Crew crew, Pilot<?> pilot) {
            this.spec = spec;
            this.crew = crew;
            this.pilot = pilot;
            this.monitor = new SimMonitor(crew, spec.conditions());
            this.watch = new Watch(crew, spec.settings());
        }

        boolean hungry() {
            return last != null && last.brakes().stream().anyMatch(b -> b.rule().equals("shared_budget"));
        }
    }

    World(Scenario scenario, Contestant contestant, long seed) {
        this(scenario, contestant, seed, (at, decision) -> {});
    }

    /** {@code listener} is told every decision with the true time. */
    World(Scenario scenario, Contestant contestant, long seed, BiConsumer<Long, ScaleDecision> listener) {
        this.scenario = scenario;
        this.listener = listener;
        this.events = new EventQueue(scenario.startMicros());
        int number = 0;
        for (CrewSpec spec : scenario.crews()) {
            Dice dice = Dice.of(seed).stream(scenario.name()).stream("crew-" + number++);
            Crew crew = new Crew(spec, events, dice, digest, scenario.horizonMicros());
            Member member = new Member(spec, crew, contestant.pilot(spec.settings()));
            members.add(member);
            spec.conditions()
                    .of(Fault.Restart.class)
                    .forEach(r -> events.at(scenario.startMicros() + Time.micros(r.atSecond()), member.pilot::forget));
        }
        events.in(0, this::tick);
    }

    RunResult run() {
        events.runUntil(scenario.startMicros() + scenario.horizonMicros());
        return result();
    }

    List<Member> members() {
        return members;
    }

    private void tick() {
        for (Member member : members) {
            decide(member);
        }
        watchRecovery();
        events.in(Time.micros((double) members.get(0).spec.settings().period().toSeconds()), this::tick);
    }

    private void decide(Member member) {
        long now = events.nowMicros();
        boolean blind = member.monitor.blindAt(Time.seconds(now - scenario.startMicros()));
        ScaleDecision decision = member.pilot.decide(member.monitor.measure(now), shared(member));
        member.last = decision;
        digest.add(decision.allowed());
        member.watch.decided(decision, blind);
        if (!decision.dryRun()) {
            carryOut(decision, member.crew.fleet);
        }
        member.watch.check(now);
        checkShared();
        listener.accept(now, decision);
    }

    private static void carryOut(ScaleDecision decision, SimFleet fleet) {
        if (decision.undrain() > 0) {
            fleet.undrain(decision.undrain());
        }
        if (decision.start() > 0) {
            fleet.start(decision.start());
        }
        if (decision.drain() > 0) {
            fleet.drain(decision.drain());
        }
    }

    private SharedBudget shared(Member mine) {
        if (!scenario.commonBudget().limited()) {
            return SharedBudget.NONE;
        }
        List<SharedBudget.Claim> claims = members.stream()
                .filter(m -> m != mine)
                .map(m -> new SharedBudget.Claim(
                        m.crew.fleet.paid(), m.spec.settings().min(), m.hungry()))
                .toList();
        return new SharedBudget(scenario.commonBudget(), claims);
    }

    private void checkShared() {
        if (scenario.commonBudget().limited()) {
            int paid = members.stream().mapToInt(m -> m.crew.fleet.paid()).sum();
            sharedBreaches += paid > scenario.commonBudget().affordable() ? 1 : 0;
        }
    }

    private void watchRecovery() {
        double second = Time.seconds(events.nowMicros() - scenario.startMicros());
        if (scenario.calmFromSecond() == Scenario.NO_CALM || second < scenario.calmFromSecond() || recoveredAt >= 0) {
            return;
        }
        if (members.stream().allMatch(m -> oldestSeconds(m.crew) <= WELL_SECONDS)) {
            recoveredAt = second - scenario.calmFromSecond();
        }
    }

    private double oldestSeconds(Crew crew) {
        return crew.queue.runnable() == 0
                ? 0
                : Time.seconds(events.nowMicros() - crew.queue.atQuarter(0).enqueuedMicros);
    }

    private RunResult result() {
        List<Task> tasks = members.stream().flatMap(m -> m.crew.tasks.stream()).toList();
        double[] waits = tasks.stream()
                .filter(t -> t.startedMicros != Task.NEVER)
                .mapToDouble(t -> Time.seconds(t.startedMicros - t.arrivedMicros))
                .sorted()
                .toArray();
        long missed = members.stream().mapToLong(this::missed).sum();
        long last = tasks.stream().mapToLong(t -> t.finishedMicros).max().orElse(Task.NEVER);
        return new RunResult(
                members.stream().mapToDouble(m -> m.crew.fleet.paidSeconds()).sum() / 3600,
                members.stream().mapToInt(m -> m.watch.actions).sum(),
                members.stream().mapToInt(m -> m.watch.flips).sum(),
                members.stream().mapToInt(m -> m.crew.fleet.peak()).sum(),
                members.stream().mapToInt(m -> m.watch.surplus).max().orElse(0),
                members.stream().mapToInt(m -> m.watch.uselessStarts).sum(),
                tasks.isEmpty() ? 0 : missed / (double) tasks.size(),
                quantile(waits, 0.5),
                quantile(waits, 0.95),
                quantile(waits, 1),
                members.stream().mapToLong(m -> m.crew.failed()).sum(),
                tasks.stream().filter(t -> t.dead).count(),
                members.stream().mapToLong(m -> m.crew.reruns()).sum(),
                sharedBreaches
                        + members.stream().mapToInt(m -> m.watch.capBreaches).sum(),
                members.stream().mapToInt(m -> m.watch.blindDowns).sum(),
                recoverySeconds(),
                last < 0 ? Double.NaN : Time.seconds(last - scenario.startMicros()),
                tasks.stream().filter(t -> !t.ended()).count(),
                digest.value());
    }

    /** A run that never got well counts to its end. */
    private double recoverySeconds() {
        boolean asked = scenario.calmFromSecond() != Scenario.NO_CALM;
        return asked && Double.isNaN(recoveredAt) ? scenario.hours() * 3600 - scenario.calmFromSecond() : recoveredAt;
    }

    private long missed(Member member) {
        ScalerSettings settings = member.spec.settings();
        long end = scenario.startMicros() + scenario.horizonMicros();
        if (settings.goal() instanceof Goal.Wait wait) {
            long slo = Time.micros((double) wait.slo().toSeconds());
            return member.crew.tasks.stream()
                    .filter(t -> (t.startedMicros == Task.NEVER ? end : t.startedMicros) - t.arrivedMicros > slo)
                    .count();
        }
        return member.crew.tasks.stream()
                .filter(t -> t.dueMicros != Task.NEVER)
                .filter(t -> t.finishedMicros == Task.NEVER || t.finishedMicros > t.dueMicros)
                .count();
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.max(0, Math.ceil(sorted.length * share) - 1)];
    }
}
