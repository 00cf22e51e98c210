package io.paceline.redis.degraded;

import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one instance may use while the team changes, as a value: replaced with each answer of the roster.
 *
 * <pre>
 *   a new team is learned    at once it uses only what is its own by the settled team and by every team since
 *   all have learned of it   from then on nobody uses what another one is to have
 *   ... for a whole rest     everything granted before is over: the new team is settled, and its whole slice is used
 * </pre>
 *
 * <p>Why nothing is used by two: when a team is settled by the first of its members, each of the others has learned of it,
 * and keeps to it until it has settled a later one. So of any two, the one that settled the later team and the other share
 * that team, and a team names one owner of everything. The rest is as long as anything that was granted before may matter:
 * the longest lease, and the longest window of a limit (up to a minute).
 *
 * @param teams the settled one first; empty where this instance has never had a part, or has lost it
 * @param settled whether the first of the teams is one in which it had its part
 * @param last the newest that was learned
 * @param agreedSinceMicros since when all are known to have learned it; {@link #NEVER} while they have not
 */
record Holdings(
        long self,
        List<Team> teams,
        boolean settled,
        @Nullable Team last,
        long agreedSinceMicros) {
    private static final long NEVER = Long.MIN_VALUE;

    /** An instance that has nothing yet. */
    static Holdings none(long self) {
        return new Holdings(self, List.of(), false, null, NEVER);
    }

    /**
     * What follows from an answer of the roster.
     *
     * @param agreed everybody in the team has learned of it, as far as the roster knows
     * @param restMicros how long what was granted before may matter
     */
    Holdings learned(Team team, boolean agreed, long restMicros, long nowMicros) {
        boolean news = !team.equals(last);
        long since = news || agreedSinceMicros == NEVER ? nowMicros : agreedSinceMicros;
        if (agreed && nowMicros - since >= restMicros) {
            return new Holdings(self, List.of(team), true, team, since);
        }
        return new Holdings(self, news ? with(team) : teams, settled, team, agreed ? since : NEVER);
    }

    private List<Team> with(Team team) {
        if (teams.stream().anyMatch(team::dividesLike)) {
            return teams;
        }
        List<Team> all = new ArrayList<>(teams);
        all.add(team);
        return List.copyOf(all);
    }

    /** It has a part in the work now. */
    boolean serves() {
        return settled;
    }

    /** The newest team is the settled one: nothing moves. */
    boolean quiet() {
        return settled && teams.size() == 1;
    }

    boolean owns(long address) {
        return settled && teams.stream().allMatch(team -> team.ownerOfAddress(address) == self);
    }

    boolean servesTarget(long target) {
        return settled && teams.stream().allMatch(team -> team.ownerOfTarget(target, self) == self);
    }

    /** The smallest of what it may use by any of the teams; null where it has no share. */
    @Nullable
    LimitSpec share(Charge charge, long target, boolean ofSession) {
        LimitSpec smallest = charge.spec();
        for (Team team : teams) {
            LimitSpec own = team.share(charge, target, ofSession, self);
            if (own == null) {
                return null;
            }
            smallest = Shares.smaller(smallest, own);
        }
        return smallest;
    }

    /** Where they take what they may use from. */
    boolean dividesLike(Holdings other) {
        return settled == other.settled
                && teams.stream()
                        .map(Team::instances)
                        .toList()
                        .equals(other.teams.stream().map(Team::instances).toList());
    }
}
