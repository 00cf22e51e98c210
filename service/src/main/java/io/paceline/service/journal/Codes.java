package io.paceline.service.journal;

import io.paceline.health.State;
import io.paceline.pace.Per;
import io.paceline.store.StoreChange.Kind;
import java.util.List;

/** Numbers that stand for words on disk: what they mean stays, however the code orders its words. New ones come at the end. */
final class Codes {
    static final List<State> STATES =
            List.of(State.HEALTHY, State.DEGRADED, State.QUARANTINED, State.PROBING, State.DEAD);
    static final List<Per> SCOPES =
            List.of(Per.TARGET, Per.ADDRESS, Per.SESSION, Per.CLIENT, Per.TENANT, Per.RULE, Per.GLOBAL);
    static final List<Kind> KINDS = List.of(Kind.CELL, Kind.SESSION, Kind.TALLY, Kind.LEASE, Kind.LIMIT, Kind.TICKET);

    private Codes() {}
}
