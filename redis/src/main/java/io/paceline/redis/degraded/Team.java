package io.paceline.redis.degraded;

import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Per;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those who divide the work at one time: everybody who knows the same team names the same owner of everything.
 *
 * @param birth of the roster's store
 * @param generation of the roster
 * @param instances in the order of their numbers, which a store that forgets everything does not change
 */
record Team(Division division, long birth, long generation, List<Long> instances) {

    Team {
        instances = List.copyOf(instances);
    }

    static Team of(Division division, Roster roster) {
        return new Team(division, roster.birth(), roster.generation(), roster.ids());
    }

    boolean dividesLike(Team other) {
        return instances.equals(other.instances);
    }

    int size() {
        return instances.size();
    }

    long ownerOfAddress(long address) {
        return division.ownerOfAddress(instances, address);
    }

    /** Whoever is asked first, where every instance serves it. */
    long ownerOfTarget(long target, long asked) {
        return division.ownsTargets() ? Division.ownerOfTarget(instances, target) : asked;
    }

    /**
     * What of a limit one instance may use. Whole is what one instance alone is charged with: a limit of an address, of a
     * session, and of a target that has an owner.
     *
     * @return null where it has no share
     */
    @Nullable
    LimitSpec share(Charge charge, long target, boolean ofSession, long instance) {
        boolean whole = charge.scope().perAddress()
                || (ofSession && charge.scope().has(Per.SESSION))
                || (division.ownsTargets() && charge.scope().has(Per.TARGET));
        return whole
                ? charge.spec()
                : Shares.of(charge.spec(), size(), Rendezvous.rank(instances, instance, Shares.key(charge, target)));
    }

    /** Who has the largest share of a limit. */
    long firstOf(Charge charge, long target) {
        return Rendezvous.owner(instances, Shares.key(charge, target));
    }
}
