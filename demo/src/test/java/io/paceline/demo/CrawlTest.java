package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.demo.Workload.Chain;
import io.paceline.demo.Workload.Lane;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrawlTest {
    private final Tally tally = new Tally();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    @Test
    void a_page_is_tried_twice_at_most() throws InterruptedException {
        crawl(chain("", 1), Answer.FAILED, Answer.CAPTCHA, Answer.PAGE);
        assertThat(asked).containsExactly("0:", "1:");
        assertThat(tally.pagesGot()).isZero();
        assertThat(tally.requests()).isEqualTo(2);
    }

    @Test
    void a_refusal_is_no_try() throws InterruptedException {
        crawl(chain("", 1), Answer.NO_PERMIT, Answer.FAILED, Answer.NO_PERMIT, Answer.PAGE);
        assertThat(tally.pagesGot()).isEqualTo(1);
        assertThat(tally.requests()).isEqualTo(2);
    }

    @Test
    void refusals_without_end_end_all_the_same() throws InterruptedException {
        crawl(chain("", 1), Answer.NO_PERMIT);
        assertThat(tally.pagesWanted()).isEqualTo(1);
        assertThat(tally.requests()).isZero();
    }

    @Test
    void a_session_keeps_its_name_from_page_to_page() throws InterruptedException {
        crawl(chain("acct1", 3), Answer.PAGE);
        assertThat(asked).containsExactly("0:acct1xtest0", "0:acct1xtest0", "0:acct1xtest0");
    }

    @Test
    void a_session_whose_address_is_gone_begins_anew() throws InterruptedException {
        crawl(chain("acct1", 1), Answer.SESSION_OVER, Answer.PAGE);
        assertThat(asked).containsExactly("0:acct1xtest0", "0:acct1xtest1");
        assertThat(tally.sessionsRenewed()).isEqualTo(1);
        assertThat(tally.requests()).isEqualTo(1);
    }

    @Test
    void a_session_that_has_brought_nothing_begins_anew_at_the_first_failure() throws InterruptedException {
        crawl(chain("acct1", 2), Answer.FAILED, Answer.PAGE);
        assertThat(asked).containsExactly("0:acct1xtest0", "1:acct1xtest1", "0:acct1xtest1");
    }

    @Test
    void a_session_that_has_brought_a_page_outlives_a_failure_and_not_a_page_lost() throws InterruptedException {
        crawl(chain("acct1", 3), Answer.PAGE, Answer.FAILED, Answer.FAILED, Answer.PAGE);
        assertThat(asked).containsExactly("0:acct1xtest0", "0:acct1xtest0", "1:acct1xtest0", "0:acct1xtest1");
        assertThat(tally.sessionsRenewed()).isEqualTo(1);
    }

    @Test
    void a_captcha_burns_a_session() throws InterruptedException {
        crawl(chain("acct1", 2), Answer.PAGE, Answer.CAPTCHA, Answer.PAGE);
        assertThat(asked).containsExactly("0:acct1xtest0", "0:acct1xtest0", "1:acct1xtest1");
    }

    @Test
    void no_page_is_begun_after_the_deadline() throws InterruptedException {
        Crawl crawl = new Crawl(new Scripted(Answer.PAGE), tally, "test", System.nanoTime());
        join(crawl, chain("", 5));
        assertThat(tally.pagesWanted()).isZero();
    }

    private void crawl(Chain chain, Answer... answers) throws InterruptedException {
        join(new Crawl(new Scripted(answers), tally, "test", System.nanoTime() + Long.MAX_VALUE / 2), chain);
    }

    private static void join(Crawl crawl, Chain chain) throws InterruptedException {
        for (Thread worker : crawl.start(new Workload(List.of(new Lane(0, 1, List.of(chain)))))) {
            worker.join();
        }
    }

    private static Chain chain(String session, int pages) {
        return new Chain(
                session,
                IntStream.range(0, pages).mapToObj(i -> new Page(i, 0, "/" + i)).toList());
    }

    /** Answers in turn, the last one for ever. */
    private final class Scripted implements Way {
        private final Answer[] answers;
        private int next;

        Scripted(Answer... answers) {
            this.answers = answers;
        }

        @Override
        public Answer fetch(Page page, int attempt, String session) {
            asked.add(attempt + ":" + session);
            return answers[Math.min(next++, answers.length - 1)];
        }
    }
}
