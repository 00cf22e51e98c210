package io.paceline.store;

import io.paceline.pace.Charge;
import java.util.List;

/** A slot in time that is reserved and paid for: the rate limits, and what {@link Limit#take} returned for each. Never changes. */
final class Ticket extends Tracked {
    private final List<Charge> charges;
    private final long[] marks;
    private final Charge binding;
    private final long atMicros;
    private final long useByMicros;

    Ticket(List<Charge> charges, long[] marks, Charge binding, long atMicros, long useByMicros) {
        this.charges = charges;
        this.marks = marks;
        this.binding = binding;
        this.atMicros = atMicros;
        this.useByMicros = useByMicros;
    }

    List<Charge> charges() {
        return charges;
    }

    long[] marks() {
        return marks;
    }

    Charge binding() {
        return binding;
    }

    long atMicros() {
        return atMicros;
    }

    long useByMicros() {
        return useByMicros;
    }

    /** Where among its charges the ticket has paid for this one, or -1: the rules may have changed since it was reserved. */
    int paidAt(Charge asked) {
        for (int i = 0; i < marks.length; i++) {
            Charge paid = charges.get(i);
            if (paid.hash() == asked.hash() && asked.isRate() && !asked.dryRun()) {
                return i;
            }
        }
        return -1;
    }
}
