package io.paceline.sim.pool;

import io.paceline.pace.RuleBook;
import io.paceline.pool.PoolSettings;
import org.jspecify.annotations.Nullable;

/**
 * What Paceline runs with in place of a scenario's own setting: a configuration of one's own under the exam.
 *
 * @param settings of the pool
 * @param rules null for those of the scenario, which are wide
 */
public record Own(PoolSettings settings, @Nullable RuleBook rules) {

    Setup in(Setup setup) {
        return new Setup(
                settings, rules == null ? setup.rules() : rules, setup.instances(), setup.network(), setup.maxWait());
    }
}
