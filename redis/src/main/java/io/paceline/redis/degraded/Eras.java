package io.paceline.redis.degraded;

import io.paceline.health.SubjectRow;
import io.paceline.store.Admitted;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrolled;
import io.paceline.store.Settled;
import io.paceline.store.Shifted;

/**
 * Makes the rows of the store that decides now the newer ones: readers go by revisions, which every store counts for itself.
 * Each change of store begins an era, and an era's revisions are above those of all before.
 */
final class Eras {
    /** More changes than one row sees in an era; readers compare revisions by their difference, so they may run over. */
    private static final int REVISIONS = 1 << 26;

    private Eras() {}

    static int revision(int era, int revision) {
        return revision + era * REVISIONS;
    }

    static SubjectRow row(int era, SubjectRow row) {
        return row.as(row.standing(), revision(era, row.revision()));
    }

    /** A cell that the store has no row of stays so: its revision is 0. */
    private static SubjectRow cell(int era, SubjectRow row) {
        return row.revision() == 0 ? row : row(era, row);
    }

    private static SubjectRow row(int era, long target, SubjectRow row) {
        return target == 0 ? row(era, row) : cell(era, row);
    }

    static Admitted admitted(int era, Admitted answer) {
        if (era == 0) {
            return answer;
        }
        if (answer instanceof Admitted.Granted granted) {
            return new Admitted.Granted(
                    granted.grants().stream().map(grant -> grant(era, grant)).toList(),
                    granted.dryRunRefusals(),
                    granted.nearLimits(),
                    granted.nowMicros());
        }
        if (answer instanceof Admitted.Busy busy) {
            return new Admitted.Busy(
                    busy.rows().stream()
                            .map(row -> new Admitted.CandidateRow(
                                    row.slot(),
                                    row(era, row.address()),
                                    cell(era, row.cell()),
                                    row.live(),
                                    row.cellLive()))
                            .toList(),
                    busy.limited(),
                    busy.nowMicros());
        }
        return answer;
    }

    private static Admitted.Grant grant(int era, Admitted.Grant grant) {
        return new Admitted.Grant(
                grant.leaseId(),
                grant.chain(),
                grant.slot(),
                grant.live(),
                revision(era, grant.revision()),
                grant.grantedAtMicros(),
                grant.expiresAtMicros(),
                grant.migrated());
    }

    static Settled settled(int era, Settled settled) {
        SubjectRow address = settled.address();
        SubjectRow cell = settled.cell();
        return era == 0 || address == null
                ? settled
                : new Settled(
                        settled.result(),
                        settled.trained(),
                        row(era, address),
                        cell == null ? null : cell(era, cell),
                        settled.tallies(),
                        settled.members(),
                        settled.pace(),
                        settled.grantedAtMicros(),
                        settled.nowMicros());
    }

    static Shifted shifted(int era, long target, Shifted shifted) {
        if (era != 0 && shifted instanceof Shifted.Applied applied) {
            return new Shifted.Applied(row(era, target, applied.row()), applied.version());
        }
        return era != 0 && shifted instanceof Shifted.Stale stale
                ? new Shifted.Stale(row(era, target, stale.row()))
                : shifted;
    }

    static Changes changes(int era, Changes changes) {
        return era == 0
                ? changes
                : new Changes(
                        changes.version(),
                        changes.reset(),
                        changes.changes().stream()
                                .map(change -> new Changes.Change(
                                        change.slot(),
                                        change.target(),
                                        change.removed(),
                                        row(era, change.target(), change.row())))
                                .toList());
    }

    static Due due(int era, Due due) {
        return era == 0
                ? due
                : new Due(
                        due.waits().stream()
                                .map(wait ->
                                        new Due.Wait(wait.slot(), wait.target(), row(era, wait.target(), wait.row())))
                                .toList(),
                        due.expired().stream()
                                .map(lease -> new Due.Expired(
                                        lease.leaseId(),
                                        lease.slot(),
                                        lease.target(),
                                        lease.live(),
                                        revision(era, lease.revision())))
                                .toList(),
                        due.nextMicros(),
                        due.nowMicros());
    }

    static Enrolled enrolled(int era, Enrolled enrolled) {
        return era == 0
                ? enrolled
                : new Enrolled(
                        enrolled.slots(),
                        enrolled.rows().stream().map(row -> row(era, row)).toList(),
                        enrolled.tableSize(),
                        enrolled.version());
    }
}
