package io.paceline.service.metrics;

import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;

/** Verdicts on targets, tags and our own side in words: who it is, and what follows. */
public final class VerdictText {
    private VerdictText() {}

    /** {@code site example.com}, {@code tag provider=acme}, {@code our own side}. */
    public static String who(Guilty guilty, String name) {
        return switch (guilty) {
            case TARGET -> "site " + name;
            case TAG -> "tag " + name;
            case OWN_SIDE -> "our own side";
            case ADDRESS, CELL -> guilty.word() + " " + name;
        };
    }

    /** The evidence, and what is done about it: {@code 5 failures in its last 6 ...: slowed to 1/s in pool default}. */
    public static String why(String pool, Verdict verdict) {
        String consequence = switch (verdict.guilty()) {
            case TARGET -> "slowed to 1/s";
            case TAG -> "its addresses go to quarantine, as far as the pool can spare them";
            case OWN_SIDE -> "no failure is held against anybody";
            case ADDRESS, CELL -> "quarantined";
        };
        return verdict.sentence() + ": " + consequence + " in pool " + pool;
    }

    /** Why it is let go. */
    public static String wellAgain(String pool, Guilty guilty) {
        return switch (guilty) {
            case TARGET -> "its requests succeed: asked at its rules' pace again in pool " + pool;
            case TAG, ADDRESS, CELL -> "its requests succeed in pool " + pool;
            case OWN_SIDE -> "requests succeed: failures count again in pool " + pool;
        };
    }
}
