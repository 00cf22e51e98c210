package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Announcements lead to few questions, and each to one that is asked after it. */
class ChangeFeedTest {
    private final VirtualTime time = new VirtualTime();
    private final ChangeFeed feed = new ChangeFeed(1);
    private final AtomicInteger asked = new AtomicInteger();

    private void announce() {
        feed.announced(time, time, asked::incrementAndGet);
    }

    private void pass(long micros) {
        time.advance(Duration.ofNanos(micros * 1_000));
    }

    @Test
    void theFirstIsAskedAboutAtOnce() {
        announce();
        pass(1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void aHundredAtOnceCostOneQuestion() {
        for (int i = 0; i < 100; i++) {
            announce();
        }
        pass(1_000_000);
        assertThat(asked).hasValue(1);
    }

    @Test
    void oneThatComesAfterTheQuestionLeadsToAnotherSoon() {
        announce();
        pass(1);
        announce();
        pass(ChangeFeed.SPACING_MICROS - 2);
        assertThat(asked).hasValue(1);
        pass(2);
        assertThat(asked).hasValue(2);
    }

    @Test
    void aStormOfASecondCostsAsManyQuestionsAsTheSpacingAllows() {
        for (int i = 0; i < 1_000; i++) {
            announce();
            pass(1_000);
        }
        assertThat(asked.get()).isBetween(49, 51);
    }
}
