package io.paceline.redis;

import io.paceline.health.State;
import io.paceline.pace.Per;
import io.paceline.store.Admission;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.Settlement;
import java.util.List;

/** How the words of the port are written in scripts and rows: numbers that stay, whatever becomes of the enums' order. */
final class Codes {
    private static final List<State> STATES =
            List.of(State.HEALTHY, State.DEGRADED, State.QUARANTINED, State.PROBING, State.DEAD);

    private static final List<Per> SCOPES =
            List.of(Per.TARGET, Per.ADDRESS, Per.SESSION, Per.CLIENT, Per.TENANT, Per.RULE, Per.GLOBAL);

    private Codes() {}

    static int of(Admission.Purpose purpose) {
        return switch (purpose) {
            case SERVE -> 0;
            case PROBE -> 1;
            case PANIC -> 2;
        };
    }

    static int of(OnAddressDeath onAddressDeath) {
        return switch (onAddressDeath) {
            case END -> 0;
            case PAUSE -> 1;
            case MIGRATE -> 2;
        };
    }

    static int of(Settlement.Evidence evidence) {
        return switch (evidence) {
            case NONE -> 0;
            case SUCCESS -> 1;
            case FAULT -> 2;
            case CAPTCHA -> 3;
        };
    }

    static int of(State state) {
        return STATES.indexOf(state);
    }

    static State state(int code) {
        return STATES.get(code);
    }

    /** One bit of a scope. */
    static int bit(Per word) {
        return 1 << SCOPES.indexOf(word);
    }
}
