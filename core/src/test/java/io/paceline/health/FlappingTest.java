package io.paceline.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Outcome.Kind;
import io.paceline.Transition;
import io.paceline.testkit.SeededTest;
import java.time.Duration;
import java.util.List;

/** Whoever fails now and then is not taken out and in all the time: dwell, longer waits and slow start see to it. */
class FlappingTest {
    private static final long SECOND = 1_000_000;
    private static final Duration HOURS = Duration.ofHours(3);

    /** Good, bad, good, bad, ... */
    private static final class Alternating implements Crawl.World {
        private int tries;

        @Override
        public Kind answer(String address, String site, java.util.random.RandomGenerator chance) {
            return address.equals("a3") && tries++ % 2 == 0 ? Kind.CONNECT_ERROR : Kind.SUCCESS;
        }
    }

    @SeededTest(seeds = 5)
    void whoever_fails_every_other_time_goes_and_stays_out(long seed) {
        Crawl crawl = Crawl.of(10, QuarantineSettings.defaults(), seed).since(new Alternating());
        crawl.run(HOURS);
        keepsItsDwell(crawl);
        assertThat(crawl.out.keySet()).containsExactly("a3");
        assertThat(ends(crawl))
                .as("half-open it never passes five tests in a row: it stays out")
                .hasSize(1);
    }

    @SeededTest(seeds = 5)
    void whoever_fails_by_chance_keeps_its_dwell(long seed) {
        Crawl.World world = (address, site, chance) ->
                address.equals("a3") && chance.nextInt(4) == 0 ? Kind.CONNECT_ERROR : Kind.SUCCESS;
        Crawl crawl = Crawl.of(10, QuarantineSettings.defaults(), seed).since(world);
        crawl.run(HOURS);
        keepsItsDwell(crawl);
        assertThat(ends(crawl)).hasSizeLessThanOrEqualTo(15);
    }

    private static List<Transition> ends(Crawl crawl) {
        return crawl.transitions.stream()
                .filter(step -> step.from().inService() && !step.to().inService())
                .toList();
    }

    /** Nobody who was made a suspect is well again before the dwell is over, and no quarantine is shorter than it says. */
    private static void keepsItsDwell(Crawl crawl) {
        for (Transition step : crawl.transitions) {
            long lasted = step.to().sinceMicros() - step.from().sinceMicros();
            if (step.from().state() == State.DEGRADED && step.to().state() == State.HEALTHY) {
                assertThat(lasted).as("%s", step).isGreaterThanOrEqualTo(30 * SECOND);
            }
            if (step.from().state() == State.QUARANTINED && step.to().state() == State.PROBING) {
                assertThat(lasted).as("%s", step).isGreaterThanOrEqualTo(48 * SECOND);
            }
        }
    }
}
