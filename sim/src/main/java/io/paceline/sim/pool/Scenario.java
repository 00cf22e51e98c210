package io.paceline.sim.pool;

import io.paceline.sim.Dice;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One scene of the exam.
 *
 * @param name its name on the command line and in reports
 * @param story one line for readers
 * @param inExam whether {@code all} runs it
 * @param plan what happens, by the chance of a seed
 */
record Scenario(String name, String story, boolean inExam, Function<Dice, Plan> plan) {

    /** The same with Paceline run by settings of one's own. */
    Scenario with(Own own) {
        return new Scenario(name, story, inExam, plan.andThen(p -> p.withSetup(own.in(p.setup()))));
    }

    /**
     * What happens under one seed.
     *
     * @param layout addresses and sites
     * @param load who asks
     * @param warmUpMicros measured from then on
     * @param lengthMicros and for so long
     * @param faults what is wrong and when
     * @param changes what people do to the pool
     * @param episode the one incident after which recovery is measured; null where there is none
     * @param captchas whether captchas play a part
     * @param setup how Paceline is run
     */
    record Plan(
            Layout layout,
            Load load,
            long warmUpMicros,
            long lengthMicros,
            List<Fault> faults,
            List<Change> changes,
            @Nullable Episode episode,
            boolean captchas,
            Setup setup) {

        Plan {
            faults = List.copyOf(faults);
            changes = List.copyOf(changes);
        }

        /** Five minutes of warm-up and one hour, defaults everywhere. */
        static Plan of(Layout layout, Load load, List<Fault> faults) {
            return new Plan(layout, load, 5 * Time.MINUTE, Time.HOUR, faults, List.of(), null, false, Setup.DEFAULTS);
        }

        Plan withEpisode(long fromMicros, long untilMicros, Set<Integer> targets) {
            Episode one = new Episode(fromMicros, untilMicros, targets);
            return new Plan(layout, load, warmUpMicros, lengthMicros, faults, changes, one, captchas, setup);
        }

        Plan withCaptchas() {
            return new Plan(layout, load, warmUpMicros, lengthMicros, faults, changes, episode, true, setup);
        }

        Plan withChanges(List<Change> all) {
            return new Plan(layout, load, warmUpMicros, lengthMicros, faults, all, episode, captchas, setup);
        }

        Plan withSetup(Setup other) {
            return new Plan(layout, load, warmUpMicros, lengthMicros, faults, changes, episode, captchas, other);
        }

        Plan lasting(long micros) {
            return new Plan(layout, load, warmUpMicros, micros, faults, changes, episode, captchas, setup);
        }
    }

    /**
     * An incident with an end.
     *
     * @param targets where it shows; the others are bystanders
     */
    record Episode(long fromMicros, long untilMicros, Set<Integer> targets) {
        Episode {
            targets = Set.copyOf(targets);
        }
    }
}
