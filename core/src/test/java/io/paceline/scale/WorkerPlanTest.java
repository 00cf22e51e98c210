package io.paceline.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The calculator's arithmetic and advice. */
class WorkerPlanTest {

    private static final double NONE = Double.NaN;

    @Test
    void hundredTasksOfThirtySecondsAreFiveWorkersAndSixWithHeadroom() {
        WorkerPlan plan = WorkerPlan.of(new PlanQuestion(100, 30, 10, 0.05, 2.00, 0, NONE, NONE, NONE));
        assertThat(plan.workers()).isEqualTo(5);
        assertThat(plan.slots()).isEqualTo(50);
        assertThat(plan.maxAffordableWorkers()).isEqualTo(40);
        assertThat(plan.recommendedWorkers()).isEqualTo(6);
        assertThat(plan.maxWorkersBySlots()).isEqualTo(WorkerPlan.NOT_ASKED);
    }

    @Test
    void adviceFollowsTheFigures() {
        assertThat(WorkerPlan.of(new PlanQuestion(100, 30, 10, NONE, NONE, 30, 50, 95, 20))
                        .advice())
                .anyMatch(s -> s.contains("Scale out"))
                .anyMatch(s -> s.contains("below 3: autoscaling does not pay"))
                .anyMatch(s -> s.contains("30 slots feed 3 workers"));
        assertThat(WorkerPlan.of(new PlanQuestion(100, 30, 10, NONE, NONE, 0, 10, 20, 30))
                        .advice())
                .anyMatch(s -> s.contains("Scale up first"))
                .anyMatch(s -> s.contains("autoscaling pays"));
        assertThat(WorkerPlan.of(new PlanQuestion(100, 30, 10, 1, 3, 0, 0, NONE, NONE))
                        .advice())
                .anyMatch(s -> s.contains("budget pays for 3 workers"))
                .anyMatch(s -> s.contains("trough is empty"));
    }

    @Test
    void badQuestionsSayWhichNumberIsWrong() {
        assertThatThrownBy(() -> new PlanQuestion(0, 30, 10, NONE, NONE, 0, NONE, NONE, NONE))
                .hasMessageContaining("tasks-per-minute");
        assertThatThrownBy(() -> new PlanQuestion(NONE, 30, 10, NONE, NONE, 0, NONE, NONE, NONE))
                .hasMessageContaining("tasks-per-minute");
        assertThatThrownBy(() -> new PlanQuestion(1, 30, 0, NONE, NONE, 0, NONE, NONE, NONE))
                .hasMessageContaining("tasks-per-worker");
        assertThatThrownBy(() -> new PlanQuestion(1, 30, 1, NONE, 2, 0, NONE, NONE, NONE))
                .hasMessageContaining("needs cost-per-hour");
    }
}
