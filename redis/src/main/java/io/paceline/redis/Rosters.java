package io.paceline.redis;

import io.paceline.redis.degraded.Beat;
import io.paceline.redis.degraded.Beaten;
import io.paceline.redis.degraded.Roster;
import java.util.ArrayList;
import java.util.List;

/** Beats and rosters as the script reads and answers them. */
final class Rosters {
    private static final int FIRST_MEMBER = 5;
    private static final Beat.Standing[] STANDINGS = {
        Beat.Standing.PRESENT,
        Beat.Standing.ALONE,
        Beat.Standing.ALONE_AND_ASSERTED,
        Beat.Standing.LEAVING,
        Beat.Standing.BY_HASH,
        Beat.Standing.BY_MODULO,
        Beat.Standing.BY_DOMAIN
    };

    private Rosters() {}

    static byte[] pack(Beat beat) {
        return new Packer()
                .number(beat.sequence())
                .number(beat.validUntilMicros())
                .number(beat.birth())
                .number(beat.knows())
                .number(beat.longestLeaseMicros())
                .octet(code(beat.standing()))
                .done();
    }

    private static int code(Beat.Standing standing) {
        return List.of(STANDINGS).indexOf(standing);
    }

    static Beaten beaten(Answer answer) {
        List<Roster.Member> members = new ArrayList<>();
        for (int i = FIRST_MEMBER; i < answer.size(); i += 2) {
            members.add(member(Unpacker.id8(answer.octets(i)), new Unpacker(answer.octets(i + 1))));
        }
        Roster roster = new Roster(answer.micros(1), answer.micros(2), members);
        return new Beaten(roster, answer.micros(3), answer.flag(4), answer.micros(0));
    }

    private static Roster.Member member(long instance, Unpacker in) {
        long last = in.number();
        long knows = in.number();
        long joined = in.number();
        long longest = in.number();
        return new Roster.Member(instance, last, knows, joined, longest, STANDINGS[(int) in.number()]);
    }
}
