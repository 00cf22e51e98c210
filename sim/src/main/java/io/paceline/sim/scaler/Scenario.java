package io.paceline.sim.scaler;

import io.paceline.scale.Budget;
import java.util.List;

/**
 * One scene of the exam.
 *
 * @param name its name on the command line and in reports
 * @param story one line for readers
 * @param group which sum it belongs to
 * @param startMicros the calendar time of its beginning
 * @param hours how long it lasts
 * @param calmFromSecond from when on the load is small and nothing is wrong: recovery is counted from there
 * @param commonBudget the budget that all crews share, or unlimited
 * @param crews its queues, each with its fleet
 */
record Scenario(
        String name,
        String story,
        Group group,
        long startMicros,
        double hours,
        double calmFromSecond,
        Budget commonBudget,
        List<CrewSpec> crews) {

    /** No time of calm: recovery is not asked. */
    static final double NO_CALM = -1;

    /** Where a scenario stands in the exam. */
    enum Group {
        /** Scenarios whose mean of wait misses is the first figure of the exam. */
        WAIT,
        /** The rest of the nine that are summed. */
        OTHER,
        /** Never used to set any number in a policy. */
        HELD_OUT
    }

    Scenario {
        crews = List.copyOf(crews);
    }

    long horizonMicros() {
        return Time.micros(hours * 3600);
    }
}
