package io.paceline.pace;

import java.util.ArrayList;
import java.util.List;

/**
 * Every bucket that a request must pass, in the order in which they are told: the winning rate rule, the winning
 * concurrency rule, the {@code always} rules, the dry runs.
 *
 * <p>Immutable and shareable: a caller keeps it by host, or by URL where {@code dependsOnPath}.
 *
 * @param charges at most {@link RuleBook#MAX_CHARGES}
 * @param dependsOnPath whether another scheme, port or path of the same host may have another plan
 */
public record Plan(List<Charge> charges, boolean dependsOnPath) {

    public Plan {
        charges = List.copyOf(charges);
    }

    /** With one bucket more, as the last. */
    public Plan with(Charge charge) {
        List<Charge> all = new ArrayList<>(charges);
        all.add(charge);
        return new Plan(all, dependsOnPath);
    }
}
