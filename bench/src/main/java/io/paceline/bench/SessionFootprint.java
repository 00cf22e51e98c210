package io.paceline.bench;

import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.SessionClaim;
import java.util.List;
import java.util.stream.LongStream;

/** Octets of heap that a live session takes in the embedded store: {@code SessionFootprint [SESSIONS]}. */
final class SessionFootprint {
    private static final int CHAIN = 7;
    private static final int ADDRESSES = 10_000;
    private static final long HOUR = 3_600_000_000L;

    private SessionFootprint() {}

    public static void main(String[] arguments) {
        int sessions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        MemoryStore store = new MemoryStore(() -> 1_000_000_000L);
        store.enrol(
                CHAIN,
                Enrollee.plain(LongStream.rangeClosed(1, ADDRESSES).boxed().toList()));
        long before = used();
        int bound = 0;
        for (int i = 0; i < sessions; i++) {
            SessionClaim claim = new SessionClaim(
                    CHAIN,
                    i * 0x9E3779B97F4A7C15L,
                    HOUR,
                    true,
                    OnAddressDeath.END,
                    HOUR,
                    List.of(new SessionClaim.Caps(CHAIN, 1_000_000, 1_000_000)));
            Admission admission = new Admission(
                    ~(i * 0x9E3779B97F4A7C15L),
                    Purpose.SERVE,
                    CHAIN,
                    5,
                    List.of(),
                    List.of(new Candidate(i % ADDRESSES, 1_000_000, 1_000_000)),
                    claim,
                    1,
                    0,
                    0,
                    0);
            Admitted answer = store.admit(admission).toCompletableFuture().join();
            bound += answer instanceof Admitted.Granted ? 1 : 0;
        }
        System.out.printf("%d sessions bound: %d octets each%n", bound, (used() - before) / bound);
        System.out.println(store.sessions(CHAIN).toCompletableFuture().join() + " are live");
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
