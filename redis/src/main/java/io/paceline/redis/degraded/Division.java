package io.paceline.redis.degraded;

import io.paceline.redis.degraded.Beat.Standing;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How instances that share pools divide the work.
 *
 * <pre>
 *            decides              an address is used by      a target is served by    a limit per target
 *   broker   the shared store     any                        any                      whole, for all together
 *   hash     each its own slice   its owner by rendezvous    any, from its own slice  divided by n
 *   modulo   each its own slice   number mod n               any, from its own slice  divided by n
 *   domain   each its own targets its owner by rendezvous    its owner by rendezvous  whole, at the owner
 * </pre>
 *
 * <p>What an instance decides by itself costs no call to the store. Reasons: docs/decisions/0021.
 */
public enum Division {
    BROKER(Standing.PRESENT),
    HASH(Standing.BY_HASH),
    MODULO(Standing.BY_MODULO),
    DOMAIN(Standing.BY_DOMAIN);

    /** An address and a target of one number are not one key. */
    private static final long TARGETS = 0x746172676574L;

    private final Standing standing;

    Division(Standing standing) {
        this.standing = standing;
    }

    /** As it is written in the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a beat says of an instance that divides so. */
    Standing standing() {
        return standing;
    }

    /** By what a beat of another instance says. */
    static Division of(Standing standing) {
        return Arrays.stream(values())
                .filter(each -> each.standing == standing)
                .findFirst()
                .orElse(BROKER);
    }

    /** @throws MixedDivisionException where somebody in the roster divides in another way */
    void checkAlike(Roster roster) {
        for (Roster.Member member : roster.members()) {
            Division theirs = of(member.standing());
            if (theirs != this) {
                throw new MixedDivisionException(theirs, this);
            }
        }
    }

    /** Each instance decides by itself what is its own. */
    public boolean isLocal() {
        return this != BROKER;
    }

    /** A target has one owner; else every instance serves it. */
    public boolean ownsTargets() {
        return this == DOMAIN;
    }

    /**
     * Who alone uses an address.
     *
     * @param instances in an order that all know, not empty
     * @param address its identity: the same in every pool that lists it, so that it has one owner
     */
    long ownerOfAddress(List<Long> instances, long address) {
        return this == MODULO
                ? instances.get((int) Long.remainderUnsigned(address, instances.size()))
                : Rendezvous.owner(instances, address);
    }

    /** Who alone serves a target, where targets are owned. */
    static long ownerOfTarget(List<Long> instances, long target) {
        return Rendezvous.owner(instances, target ^ TARGETS);
    }
}
