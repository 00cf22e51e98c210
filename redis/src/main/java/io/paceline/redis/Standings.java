package io.paceline.redis;

import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;

/**
 * Standings as octets. Before them stand the few facts that scripts go by, worked out here: what a state means is known to
 * {@link Standing} alone. Equal standings are equal octets, so that a script can compare and set them.
 *
 * <pre>
 *   facts     2  bits, see {@link #facts}
 *   epoch     4
 *   due, return, out since     3 x 8
 *   state     1, since, until, wait  3 x 8, relapses  4, ramp from  8
 *   hold      1  frozen, draining, banned; a ban's end  8, and its reason to the end
 * </pre>
 */
final class Standings {
    /** Where the state is, counted from 1 as scripts do. */
    static final int STATE_AT = 31;

    static final int SINCE_AT = 32;

    private static final int FROZEN = 1;
    private static final int DRAINING = 2;
    private static final int BANNED = 4;

    private Standings() {}

    static int facts(Standing standing) {
        return (standing.inService() ? 1 : 0)
                | (standing.servesSessions() ? 2 : 0)
                | (standing.fit() ? 4 : 0)
                | (standing.halfOpen() ? 8 : 0)
                | (standing.counts() ? 16 : 0)
                | (standing.gone() ? 32 : 0)
                | (standing.leasedInPanic() ? 64 : 0)
                | (standing.state() == State.HEALTHY ? 128 : 0)
                | (standing.relapses() != 0 ? 256 : 0);
    }

    static byte[] pack(Standing standing) {
        Hold hold = standing.hold();
        Hold.Ban ban = hold.ban();
        int held = (hold.frozen() ? FROZEN : 0) | (hold.draining() ? DRAINING : 0) | (ban != null ? BANNED : 0);
        Packer packer = new Packer()
                .word(facts(standing))
                .integer(standing.epoch())
                .number(standing.dueMicros())
                .number(standing.returnMicros())
                .number(standing.outSinceMicros())
                .octet(Codes.of(standing.state()))
                .number(standing.sinceMicros())
                .number(standing.untilMicros())
                .number(standing.waitMicros())
                .integer(standing.relapses())
                .number(standing.rampFromMicros())
                .octet(held);
        if (ban != null) {
            packer.number(ban.untilMicros()).raw(Packer.text(ban.reason()));
        }
        return packer.done();
    }

    static Standing unpack(byte[] octets) {
        if (octets.length == 0) {
            return Standing.fresh(0, 0);
        }
        Unpacker in = new Unpacker(octets);
        in.word();
        int epoch = in.integer();
        in.raw(2 * Double.BYTES);
        long outSince = in.number();
        State state = Codes.state(in.octet());
        long since = in.number();
        long until = in.number();
        long wait = in.number();
        int relapses = in.integer();
        long ramp = in.number();
        int held = in.octet();
        Hold.Ban ban = null;
        if ((held & BANNED) != 0) {
            long banUntil = in.number();
            ban = new Hold.Ban(Unpacker.string(in.raw(in.left())), banUntil);
        }
        Hold hold = held == 0 ? Hold.NONE : new Hold((held & FROZEN) != 0, (held & DRAINING) != 0, ban);
        return new Standing(state, epoch, since, until, wait, relapses, ramp, outSince, hold);
    }
}
