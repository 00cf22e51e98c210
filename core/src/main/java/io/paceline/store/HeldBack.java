package io.paceline.store;

import io.paceline.pace.Charge;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of one admission that only a limit of their own holds back: when the first of them will be free, and
 * which one a refused caller is sent to.
 *
 * <p>Each address has a hint clock of its own. A caller is told the earliest of their next hints, and only that clock moves
 * on: so callers spread over all addresses, not over the first one's clock. Guarded by the store's lock.
 */
final class HeldBack {
    private @Nullable Charge binding;
    private long untilMicros;
    private @Nullable Limit hinting;
    private @Nullable Charge hintingCharge;
    private long hintingAtMicros;
    private long hintMicros;
    private final int[] slots = new int[Admission.MAX_CANDIDATES];
    private int count;

    void clear() {
        binding = null;
        hinting = null;
        hintingCharge = null;
        count = 0;
    }

    /** A candidate whose limit has room from {@code atMicros} on, or nobody knows when. */
    void note(int slot, Charge charge, Limit limit, long atMicros) {
        slots[count++] = slot;
        if (binding == null || atMicros < untilMicros) {
            binding = charge;
            untilMicros = atMicros;
        }
        if (atMicros != Limit.UNKNOWN) {
            long hint = limit.nextHint(atMicros, charge.spec());
            if (hinting == null || hint < hintMicros) {
                hinting = limit;
                hintingCharge = charge;
                hintingAtMicros = atMicros;
                hintMicros = hint;
            }
        }
    }

    boolean holds(int slot) {
        for (int i = 0; i < count; i++) {
            if (slots[i] == slot) {
                return true;
            }
        }
        return false;
    }

    /** What to tell, or null where no candidate was held back. */
    Admitted.@Nullable Full answer(long nowMicros) {
        if (binding == null) {
            return null;
        }
        if (hinting == null || hintingCharge == null) {
            return new Admitted.Full(binding, -1, -1, nowMicros);
        }
        return new Admitted.Full(binding, untilMicros, hinting.hint(hintingAtMicros, hintingCharge.spec()), nowMicros);
    }
}
