package io.paceline.pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every bucket that a request must pass, in the order in which they are told: the winning rate rule, the winning
 * concurrency rule, the {@code always} rules, the dry runs.
 *
 * <p>Immutable and shareable: a caller keeps it by host, or by URL where {@code dependsOnPath}.
 *
 * @param charges at most {@link RuleBook#MAX_CHARGES} of rules, and the target's own; what they owe to caller and address is still open
 * @param dependsOnPath whether another scheme, port or path of the same host may have another plan
 * @param headers fields that the winning rate rule suggests
 */
public record Plan(List<Charge> charges, boolean dependsOnPath, Map<String, String> headers) {

    public Plan {
        charges = List.copyOf(charges);
    }

    /**
     * The buckets of one caller's request.
     *
     * @param low true for a request of low priority, which passes a second clock beside each rate: at most twice as many
     * @param cost what each permit counts for at the rates of rules
     */
    public List<Charge> charges(String tenant, String clientId, @Nullable String session, boolean low, int cost) {
        boolean plain = !low && cost == 1;
        for (int i = 0; plain && i < charges.size(); i++) {
            plain = !charges.get(i).scope().perCaller();
        }
        if (plain) {
            return charges;
        }
        List<Charge> own = new ArrayList<>(2 * charges.size());
        for (Charge charge : charges) {
            Charge bucket = charge.scope().perCaller() ? charge.of(tenant, clientId, session) : charge;
            own.add(bucket.costing(cost));
            if (low && bucket.hasLow()) {
                own.add(bucket.low().costing(cost));
            }
        }
        return own;
    }

    /** Whether a limit depends on the address that is taken, so that one address may be free where another is not. */
    public boolean perAddress() {
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).scope().perAddress()) {
                return true;
            }
        }
        return false;
    }

    /** What the winning rule suggests, and where it says nothing, what is suggested for the target. */
    public Map<String, String> suggesting(Map<String, String> ofTarget) {
        return SuggestedFields.merged(ofTarget, headers);
    }

    /** With one bucket more, as the last. */
    public Plan with(Charge charge) {
        List<Charge> all = new ArrayList<>(charges);
        all.add(charge);
        return new Plan(all, dependsOnPath, headers);
    }
}
