package io.paceline.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Order of events and independence of streams: what every simulation leans on. */
class VirtualTimeTest {

    @Test
    void eventsRunByTimeAndThoseOfOneInstantInTheOrderOfTheirPlanning() {
        EventQueue events = new EventQueue(100);
        List<String> ran = new ArrayList<>();
        events.at(300, () -> ran.add("late"));
        events.at(200, () -> ran.add("first"));
        events.at(200, () -> events.in(0, () -> ran.add("third")));
        events.at(200, () -> ran.add("second"));
        events.at(50, () -> ran.add("past is now " + events.nowMicros()));
        events.runUntil(300);
        assertThat(ran).containsExactly("past is now 100", "first", "second", "third");
        assertThat(events.nowMicros()).isEqualTo(300);
        events.runUntil(301);
        assertThat(ran).endsWith("late");
    }

    @Test
    void streamsOfOneSeedDoNotDisturbEachOther() {
        Dice alone = Dice.of(1).stream("a");
        Dice root = Dice.of(1);
        root.next();
        root.stream("b").next();
        assertThat(root.stream("a").next()).isEqualTo(alone.next());
        assertThat(Dice.of(1).stream("a").at(3, 1))
                .isEqualTo(root.stream("a").at(3, 1))
                .isNotEqualTo(root.stream("a").at(3, 2));
        assertThat(Dice.of(2).next()).isNotEqualTo(Dice.of(1).next());
    }

    @Test
    void drawsHaveTheMeanThatWasAskedFor() {
        Dice dice = Dice.of(5);
        double exponential = 0;
        double logNormal = 0;
        for (int i = 0; i < 100_000; i++) {
            exponential += dice.exponential(60) / 100_000;
            logNormal += dice.logNormal(60, 0.5) / 100_000;
        }
        assertThat(exponential).isBetween(59.0, 61.0);
        assertThat(logNormal).isBetween(59.0, 61.0);
    }
}
