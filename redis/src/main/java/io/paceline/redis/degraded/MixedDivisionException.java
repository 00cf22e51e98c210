package io.paceline.redis.degraded;

/** Those who share the store already divide it in another way: nobody may join who would not divide it alike. */
public final class MixedDivisionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MixedDivisionException(Division theirs, Division own) {
        super("others who share the store divide it by " + theirs.word() + ", this one by " + own.word()
                + ": stop them first (who was killed is forgotten after six minutes), write the same division for all,"
                + " or another prefix here");
    }
}
