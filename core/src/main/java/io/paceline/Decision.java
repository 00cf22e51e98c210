package io.paceline;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The answer to a request: a lease, a time to come back with a ticket, or a refusal with its reason. */
public sealed interface Decision {

    /**
     * The request may go now.
     *
     * @param leases one for each permit granted: at least one, at most as many as were asked for
     */
    record Granted(List<Lease> leases) implements Decision {
        public Granted {
            leases = List.copyOf(leases);
            if (leases.isEmpty()) {
                throw new IllegalArgumentException("a grant has at least one lease");
            }
        }

        public Lease lease() {
            return leases.get(0);
        }
    }

    /**
     * A slot in time is reserved and paid for; address and session are chosen when the ticket is redeemed.
     *
     * @param ticket what to redeem or give back
     * @param startAtMicros when the slot comes
     * @param useByMicros when the ticket is worth nothing any more
     * @param rule the rule that made the request wait
     */
    record Reserved(String ticket, long startAtMicros, long useByMicros, String rule) implements Decision {}

    /**
     * The request may not go.
     *
     * @param waitMicros how long until it is worth asking again; negative where nobody knows
     * @param rule the rule that refuses, or null where none does
     * @param message one sentence for a person
     */
    record Refused(Reason reason, long waitMicros, @Nullable String rule, String message) implements Decision {
        public Refused {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Calls exactly one of the functions: the exhaustive switch that Java 17 lacks. */
    default <T> T match(Function<Granted, T> granted, Function<Reserved, T> reserved, Function<Refused, T> refused) {
        if (this instanceof Granted g) {
            return granted.apply(g);
        }
        if (this instanceof Reserved r) {
            return reserved.apply(r);
        }
        return refused.apply((Refused) this);
    }
}
