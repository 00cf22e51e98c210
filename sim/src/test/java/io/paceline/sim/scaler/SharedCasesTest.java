package io.paceline.sim.scaler;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.scale.Budget;
import io.paceline.scale.LeaderLease;
import io.paceline.scale.ScaleDecision;
import io.paceline.scale.ScalerSettings;
import io.paceline.scale.Victims;
import io.paceline.sim.scaler.Fault.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The autoscaler faults that others have reported, each played through under the planner. */
class SharedCasesTest {

    private static final long START = 1_772_409_600L * Time.SECOND;

    /** What is checked for each row of the shared file. */
    private static final Map<String, Runnable> CHECKS = Map.ofEntries(
            entry("A-S01", SharedCasesTest::anUnreadableQueueChangesNothing),
            entry("A-S02", SharedCasesTest::aRunningTaskKeepsItsWorker),
            entry("A-S03", SharedCasesTest::startingWorkersCount),
            entry("A-S04", SharedCasesTest::neverAboveTheMaximum),
            entry("A-S05", SharedCasesTest::aSecondLookOrdersNothingTwice),
            entry("A-S06", SharedCasesTest::theDownWindowNeverRaises),
            entry("A-S07", SharedCasesTest::aRestartHoldsBeforeGoingDown),
            entry("A-S08", SharedCasesTest::neverBelowTheMinimum),
            entry("A-S09", SharedCasesTest::aMinimumAboveTheMaximumIsRefused),
            entry("A-S10", SharedCasesTest::upRightAfterDown),
            entry("A-S11", SharedCasesTest::noStairCase),
            entry("A-S12", SharedCasesTest::oneLeader),
            entry("A-S13", SharedCasesTest::theIdleWorkerGoes),
            entry("A-S14", SharedCasesTest::aLongTaskIsHandedBackOnce),
            entry("A-S15", SharedCasesTest::pausedTasksAreNoDemand),
            entry("A-S16", SharedCasesTest::fromZeroToOne),
            entry("A-S17", SharedCasesTest::aQueueNeverWrittenIsEmpty));

    /** A decision and when it fell, in seconds since the start. */
    private record At(double second, ScaleDecision decision) {}

    private record Run(List<At> decisions, RunResult result) {

        Stream<ScaleDecision> between(double from, double to) {
            return decisions.stream()
                    .filter(d -> d.second >= from && d.second < to)
                    .map(At::decision);
        }

        int started() {
            return decisions.stream().mapToInt(d -> d.decision.start()).sum();
        }
    }

    static Stream<String> rows() throws IOException {
        List<String> ids = new ArrayList<>();
        try (InputStream file = SharedCasesTest.class.getResourceAsStream("/cases/8-autoscaler.jsonl")) {
            String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n")) {
                JsonNode row = new ObjectMapper().readTree(line);
                ids.add(row.get("id").asText());
            }
        }
        return ids.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void everySharedCaseIsDoneRight(String id) {
        assertThat(CHECKS).containsKey(id);
        Objects.requireNonNull(CHECKS.get(id)).run();
    }

    private static void anUnreadableQueueChangesNothing() {
        Conditions down = Conditions.CALM.with(new Fault.Blind(new Span(10, 310), Fault.Blind.Kind.DOWN));
        Run run = run(settings(2, 10), Workload.exactly(1000, 0, 60, 0), down, 10);
        assertThat(run.between(10, 310)).allSatisfy(d -> {
            assertThat(d.acts()).isFalse();
            assertThat(d.allowed()).isEqualTo(10);
            assertThat(d.wish().rule()).isIn("blind", "fallback");
        });
    }

    private static void aRunningTaskKeepsItsWorker() {
        Run run = run(settings(0, 5), Workload.exactly(1, 0, 1200, 0), Conditions.CALM.withoutNoise(), 1);
        assertThat(run.between(0, 1200)).allSatisfy(d -> assertThat(d.allowed()).isEqualTo(1));
        assertThat(run.between(1400, 3600))
                .allSatisfy(d -> assertThat(d.allowed()).isZero());
        assertThat(run.result.reruns()).isZero();
    }

    private static void startingWorkersCount() {
        ScalerSettings one = settings(0, 200)
                .withTasksPerWorker(1)
                .withTimes(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofHours(1));
        Run run = run(
                one,
                Workload.exactly(100, 0, 3600, 0),
                Conditions.CALM.withoutNoise().withStartup(60),
                0);
        assertThat(run.started()).isBetween(90, 100);
    }

    private static void neverAboveTheMaximum() {
        Run run = run(settings(2, 10), Workload.exactly(2000, 0, 60, 0), Conditions.CALM.withStartup(120), 5);
        assertThat(run.started()).isEqualTo(5);
        assertThat(run.result.capBreaches()).isZero();
        assertThat(run.result.peak()).isEqualTo(10);
    }

    private static void aSecondLookOrdersNothingTwice() {
        ScalerSettings eager =
                settings(0, 200).withTimes(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(60));
        Run run = run(eager, Workload.exactly(400, 0, 60, 0), Conditions.CALM.withoutNoise(), 0);
        int first = run.decisions.get(1).decision.start()
                + run.decisions.get(0).decision.start();
        assertThat(run.between(2, 20).mapToInt(ScaleDecision::start).sum()).isZero();
        assertThat(first).isGreaterThan(20);
    }

    private static void theDownWindowNeverRaises() {
        Run run = run(settings(2, 30), Workload.exactly(30, 0, 200, 0), Conditions.CALM.withoutNoise(), 17);
        assertThat(run.decisions)
                .allSatisfy(d -> assertThat(d.decision.allowed()).isLessThanOrEqualTo(17));
    }

    private static void aRestartHoldsBeforeGoingDown() {
        Workload load = Workload.exactly(20, 0, 1790, 0);
        Conditions restart = Conditions.CALM.withoutNoise().with(new Fault.Restart(1799));
        Run run = run(settings(2, 20), load, restart, 10);
        assertThat(run.between(1799, 1799 + 45))
                .allSatisfy(d -> assertThat(d.drain()).isZero());
        assertThat(run.between(1900, 2000))
                .allSatisfy(d -> assertThat(d.allowed()).isEqualTo(2));
    }

    private static void neverBelowTheMinimum() {
        Workload flips = Workload.exactly(100, 60, 5, 0);
        for (int at = 300; at < 3000; at += 240) {
            flips = flips.and(Workload.exactly(100, at, 5, 0));
        }
        Run run = run(settings(2, 15), flips, Conditions.CALM, 2);
        assertThat(run.decisions)
                .allSatisfy(d -> assertThat(d.decision.allowed()).isBetween(2, 15));
    }

    private static void aMinimumAboveTheMaximumIsRefused() {
        ScalerSettings old = settings(2, 20);
        assertThatThrownBy(() -> old.withWorkers(10, 5))
                .hasMessageContaining("scaler.min 10")
                .hasMessageContaining("scaler.max 5");
        assertThat(old.min()).isEqualTo(2);
    }

    private static void upRightAfterDown() {
        Workload load = Workload.exactly(20, 0, 600, 0).and(Workload.exactly(300, 720, 60, 0));
        Run run = run(settings(2, 20), load, Conditions.CALM.withoutNoise(), 10);
        assertThat(run.between(600, 720).mapToInt(ScaleDecision::drain).sum()).isPositive();
        assertThat(run.between(720, 751).mapToInt(d -> d.start() + d.undrain()).sum())
                .isPositive();
    }

    private static void noStairCase() {
        Run run = run(
                settings(2, 100),
                Workload.exactly(300, 1, 60, 0),
                Conditions.CALM.withoutNoise().withStartup(60),
                2);
        assertThat(run.between(0, 60).filter(d -> d.start() > 0)).hasSize(1);
    }

    private static void oneLeader() {
        long ttl = 15 * Time.SECOND;
        LeaderLease lock = LeaderLease.FREE.claim("a", START, ttl);
        long fenceOfA = lock.fence();
        LeaderLease asked = lock.claim("b", START + 10 * Time.SECOND, ttl);
        assertThat(asked).isEqualTo(lock);
        assertThat(asked.ledBy("b", START + 10 * Time.SECOND)).isFalse();
        LeaderLease taken = lock.claim("b", START + ttl, ttl);
        assertThat(taken.ledBy("b", START + ttl)).isTrue();
        assertThat(taken.ledBy("a", START + ttl)).isFalse();
        assertThat(LeaderLease.admits(taken.fence(), fenceOfA)).isFalse();
        assertThat(LeaderLease.admits(taken.fence(), taken.fence())).isTrue();
    }

    private static void theIdleWorkerGoes() {
        List<Victims.Worker> five = List.of(
                new Victims.Worker("w1", true, 2, 1),
                new Victims.Worker("w2", true, 1, 2),
                new Victims.Worker("w3", true, 1, 9),
                new Victims.Worker("w4", true, 2, 4),
                new Victims.Worker("w5", true, 0, 0));
        assertThat(Victims.pick(five, 1)).containsExactly("w5");
        assertThat(Victims.pick(five, 2)).containsExactly("w5", "w3");
    }

    private static void aLongTaskIsHandedBackOnce() {
        Run run = run(settings(0, 5), Workload.exactly(2, 0, 2400, 0), Conditions.CALM.withoutNoise(), 2);
        assertThat(run.result.reruns()).isEqualTo(1);
        assertThat(run.result.unfinished()).isZero();
        assertThat(run.result.deadLettered()).isZero();
    }

    private static void pausedTasksAreNoDemand() {
        Run run = run(settings(2, 20), Workload.exactly(10_000, 0, 60, 600), Conditions.CALM, 2);
        assertThat(run.between(0, 560)).allSatisfy(d -> assertThat(d.start()).isZero());
        assertThat(run.between(560, 640).mapToInt(ScaleDecision::start).sum()).isPositive();
    }

    private static void fromZeroToOne() {
        Run run = run(settings(0, 20), Workload.exactly(1, 100, 60, 0), Conditions.CALM, 0);
        assertThat(run.between(100, 131).mapToInt(ScaleDecision::start).sum()).isEqualTo(1);
    }

    private static void aQueueNeverWrittenIsEmpty() {
        Run run = run(settings(1, 20).withFallback(5), (dice, horizon) -> List.of(), Conditions.CALM, 1);
        assertThat(run.decisions).allSatisfy(d -> {
            assertThat(d.decision.allowed()).isEqualTo(1);
            assertThat(d.decision.wish().rule()).isNotIn("blind", "fallback");
        });
    }

    @Test
    void aBudgetIsNeverPassedInAnyHour() {
        ScalerSettings poor = settings(2, 20).withBudget(new Budget(0.35, 0.05));
        Run run = run(poor, Workload.exactly(3000, 0, 60, 0), Conditions.CALM, 2);
        assertThat(run.result.peak()).isEqualTo(7);
        assertThat(run.result.capBreaches()).isZero();
        assertThat(run.decisions)
                .anySatisfy(d -> assertThat(d.decision.binding()).isEqualTo("budget"));
    }

    private static ScalerSettings settings(int min, int max) {
        return Scenarios.SETTINGS.withWorkers(min, max);
    }

    private static Run run(ScalerSettings settings, Workload load, Conditions conditions, int workers) {
        Scenario scenario = new Scenario(
                "case",
                "",
                Scenario.Group.OTHER,
                START,
                2,
                Scenario.NO_CALM,
                Budget.UNLIMITED,
                List.of(new CrewSpec(settings, load, conditions, workers)));
        List<At> decisions = new ArrayList<>();
        World world = new World(
                scenario,
                Contestant.PLANNER,
                1,
                (at, decision) -> decisions.add(new At(Time.seconds(at - START), decision)));
        return new Run(decisions, world.run());
    }
}
