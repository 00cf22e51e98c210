package io.paceline.scale;

/**
 * A pure rule: what was measured and what is remembered in, a wish and what to remember out.
 *
 * <p>Policies know no maximum, budget or pause: brakes come after them. Implementations are immutable and thread-safe.
 *
 * @param <S> what the policy remembers between decisions
 */
public interface Policy<S> {

    /** The name under which reports and decisions show it. */
    String name();

    /** What a policy remembers that has never decided. */
    S initial();

    /**
     * One decision.
     *
     * @param snapshot what was measured
     * @param fleet the workers, known and fresh
     * @param state what the last step remembered
     */
    Step<S> step(Snapshot snapshot, FleetView fleet, S state);

    /** A wish and what to remember. */
    record Step<S>(Wish wish, S state) {}
}
