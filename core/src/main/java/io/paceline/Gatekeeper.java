package io.paceline;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The one brain behind every way in: decides when a request may go, and from which address.
 *
 * <p>Thread-safe; nothing blocks. Stages complete on the caller's thread where the answer is known at once, else on the
 * {@link Alarm}'s or the store's.
 */
public interface Gatekeeper {

    /**
     * Asks for a permit.
     *
     * @throws io.paceline.pace.BadTargetException where the target is no URL or host that can be asked for
     * @throws IllegalArgumentException where the pool named does not exist
     */
    CompletionStage<Decision> acquire(Request request);

    /** Turns a ticket into the lease that it reserved; costs nothing more. */
    CompletionStage<Decision> redeem(String ticket);

    /** Gives a ticket back; false where it was unknown, used or too old. */
    CompletionStage<Boolean> giveBack(String ticket);

    /**
     * Ends a lease.
     *
     * <p>{@link Outcome.Kind#CANCELED} gives the permit's slot back where nobody has reserved behind it.
     */
    CompletionStage<SettleResult> settle(LeaseId lease, Outcome outcome);

    /** Lengthens a lease by its pool's {@code lease_ttl} from now; the new end, or empty where the lease has gone. */
    CompletionStage<OptionalLong> renew(LeaseId lease);

    /** Ends a session; false where there was none. The pool null means the first of the configuration. */
    CompletionStage<Boolean> endSession(String tenant, @Nullable String pool, String session);

    /**
     * Sends a session to another address: its next request goes there once those that still run have ended, and its answer
     * says so. Where no other address can serve it stays. False where there is no such session.
     *
     * @param pool the session's pool; null means the first of the configuration
     */
    CompletionStage<Boolean> repinSession(String tenant, @Nullable String pool, String session);

    /**
     * What a client says about an address outside any lease.
     *
     * @param address an {@link Address#id()}
     * @param target the target that it speaks about, or null for the address as a whole
     * @return false where no pool has such an address
     */
    CompletionStage<Boolean> report(String address, @Nullable String target, boolean good);

    /**
     * Does what a person wants done with an address, in every pool that has it; seen by all instances.
     *
     * @throws io.paceline.pace.BadTargetException where the order's target is no URL, host or name
     */
    CompletionStage<Order.Result> carryOut(Order order);

    /** Sets an address aside; its sessions are paused until {@link #thaw}. */
    default CompletionStage<Order.Result> freeze(String address) {
        return carryOut(Order.of(Order.Verb.FREEZE, address));
    }

    default CompletionStage<Order.Result> thaw(String address) {
        return carryOut(Order.of(Order.Verb.THAW, address));
    }

    /**
     * Takes an address out, or only its cell on one target; its sessions end.
     *
     * @param target null for the address as a whole
     * @param lasting null for until {@link #unban}; a repeated ban takes the place of the one before
     * @param reason for logs and the list of addresses; may be empty
     */
    default CompletionStage<Order.Result> ban(
            String address, @Nullable String target, @Nullable Duration lasting, String reason) {
        return carryOut(new Order(Order.Verb.BAN, address, target, lasting, reason));
    }

    default CompletionStage<Order.Result> unban(String address, @Nullable String target) {
        return carryOut(new Order(Order.Verb.UNBAN, address, target, null, ""));
    }

    /** Gives an address no new leases and sessions; what it has runs out. */
    default CompletionStage<Order.Result> drain(String address) {
        return carryOut(Order.of(Order.Verb.DRAIN, address));
    }

    default CompletionStage<Order.Result> undrain(String address) {
        return carryOut(Order.of(Order.Verb.UNDRAIN, address));
    }
}
