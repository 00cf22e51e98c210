package io.paceline.demo;

import io.paceline.demo.Workload.Chain;
import io.paceline.demo.Workload.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The crawler, the same for every way: so many workers a site, each page tried twice at most. A session that does not work
 * is begun anew under another name: at the first failure where it has brought nothing yet, or at a captcha; else when a
 * page could not be got.
 */
final class Crawl {
    /** Tries for one page. */
    static final int TRIES = 2;

    /** Refusals without a request that one page may meet: each is followed by a wait, or by a new session. */
    private static final int REFUSALS = 4;

    private final Way way;
    private final Tally tally;
    private final String run;
    private final long deadlineNanos;

    /**
     * @param run a word that keeps the sessions of two runs apart
     * @param deadlineNanos no page is begun after this {@link System#nanoTime}
     */
    Crawl(Way way, Tally tally, String run, long deadlineNanos) {
        this.way = way;
        this.tally = tally;
        this.run = run;
        this.deadlineNanos = deadlineNanos;
    }

    /** Starts the workers; they are done when they have all ended. */
    List<Thread> start(Workload workload) {
        List<Thread> workers = new ArrayList<>();
        for (Lane lane : workload.lanes()) {
            Queue<Chain> queue = new ConcurrentLinkedQueue<>(lane.chains());
            for (int i = 0; i < lane.workers(); i++) {
                Thread worker = new Thread(() -> work(queue), "demo-crawler-" + workers.size());
                worker.setDaemon(true);
                workers.add(worker);
            }
        }
        workers.forEach(Thread::start);
        return workers;
    }

    private void work(Queue<Chain> queue) {
        try {
            for (Chain chain = queue.poll(); chain != null; chain = queue.poll()) {
                get(chain);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run is over
        }
    }

    private void get(Chain chain) throws InterruptedException {
        SessionName session = new SessionName(chain.session(), run);
        for (Page page : chain.pages()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return;
            }
            tally.wanted();
            if (!get(page, session) && session.proven) {
                renew(session);
            }
        }
    }

    /** Whether the page was got. */
    private boolean get(Page page, SessionName session) throws InterruptedException {
        int refusals = 0;
        for (int attempt = 0; attempt < TRIES && refusals < REFUSALS; ) {
            Answer answer = way.fetch(page, attempt, session.current());
            tally.tried(answer);
            if (answer == Answer.PAGE) {
                session.proven = true;
                return true;
            }
            if (answer.sent()) {
                attempt++;
            } else {
                refusals++;
            }
            if (isBurnt(session, answer)) {
                renew(session);
            }
        }
        return false;
    }

    private static boolean isBurnt(SessionName session, Answer answer) {
        return answer == Answer.SESSION_OVER || answer == Answer.CAPTCHA || (answer.sent() && !session.proven);
    }

    private void renew(SessionName session) {
        if (session.renew()) {
            tally.sessionRenewed();
        }
    }

    /** A session's name for site and gatekeeper; a session begun anew is another session to both. For one thread. */
    private static final class SessionName {
        private final String base;
        private final String run;
        private int generation;
        /** Whether it has brought a page. */
        private boolean proven;

        SessionName(String base, String run) {
            this.base = base;
            this.run = run;
        }

        String current() {
            return base.isEmpty() ? "" : base + "x" + run + generation;
        }

        /** False where there is no session. */
        boolean renew() {
            generation++;
            proven = false;
            return !base.isEmpty();
        }
    }
}
