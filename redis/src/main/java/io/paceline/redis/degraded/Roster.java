package io.paceline.redis.degraded;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who shares the store, as it was told last; from it follows who may serve which address while the store is away.
 *
 * @param birth of the store: another number where it has lost everything since
 * @param generation grows whenever somebody joins or leaves
 * @param members ordered by instance
 */
public record Roster(long birth, long generation, List<Member> members) {

    /** Knows nobody. */
    static final Roster EMPTY = new Roster(0, 0, List.of());

    /** Beats come every quarter of a second; after half a second of missed ones an instance may be about to serve alone. */
    static final long SILENT_AFTER_MICROS = 750_000;

    /**
     * One instance.
     *
     * @param lastBeatMicros in store time
     * @param knows the generation of the roster that it has learned
     * @param joined the generation that began with it
     */
    public record Member(
            long instance,
            long lastBeatMicros,
            long knows,
            long joined,
            long longestLeaseMicros,
            Beat.Standing standing) {

        Member since(long generation, long known) {
            return new Member(instance, lastBeatMicros, known, generation, longestLeaseMicros, standing);
        }

        /** It serves alone, or may soon: its slice is left alone. */
        boolean apart(long nowMicros) {
            return standing.alone() || nowMicros - lastBeatMicros > SILENT_AFTER_MICROS;
        }
    }

    public Roster {
        members = members.stream()
                .sorted(Comparator.comparingLong(Member::instance))
                .toList();
    }

    List<Long> ids() {
        return members.stream().map(Member::instance).toList();
    }

    @Nullable
    Member member(long instance) {
        for (Member member : members) {
            if (member.instance == instance) {
                return member;
            }
        }
        return null;
    }

    boolean knows(long instance) {
        return member(instance) != null;
    }

    /** Everybody has learned of this instance: nobody else takes its slice for his own. */
    boolean acknowledges(long instance) {
        Member self = member(instance);
        return self != null
                && members.stream().allMatch(other -> other.instance == instance || other.knows >= self.joined);
    }

    /** The slices of those, but for the one, that serve alone or may soon. */
    List<Slice> apart(long except, long nowMicros) {
        List<Slice> slices = new ArrayList<>();
        for (Member member : members) {
            if (member.instance != except && member.apart(nowMicros)) {
                slices.add(slice(member));
            }
        }
        return slices;
    }

    /** What the member takes for its slice, which goes by whom it knows. */
    private Slice slice(Member of) {
        List<Long> known = new ArrayList<>();
        for (Member member : members) {
            if (member.instance == of.instance || member.joined <= of.knows) {
                known.add(member.instance);
            }
        }
        return new Slice(of.instance, known);
    }

    /** The slice of one who knows everybody. */
    Slice slice(long instance) {
        return new Slice(instance, ids());
    }

    /**
     * With those of another roster whom this one, of a store that has forgotten everything, does not know. They know whom
     * they knew before.
     */
    Roster with(Roster before) {
        List<Member> all = new ArrayList<>();
        for (Member member : members) {
            all.add(before.knows(member.instance) ? member.since(0, member.knows) : member);
        }
        for (Member member : before.members) {
            if (!knows(member.instance)) {
                all.add(member.since(0, 0));
            }
        }
        return new Roster(birth, generation, all);
    }

    /** Without those who have not been heard of for so long that nobody keeps a slice free for them. */
    Roster heardSince(long micros) {
        return new Roster(
                birth,
                generation,
                members.stream()
                        .filter(member -> member.lastBeatMicros >= micros)
                        .toList());
    }

    long longestLeaseMicros() {
        return members.stream().mapToLong(Member::longestLeaseMicros).max().orElse(0);
    }

    /**
     * The share of all keys that one instance owns among those that it knows.
     *
     * @param known its owner too
     */
    record Slice(long instance, List<Long> known) {
        boolean owns(long key) {
            return Rendezvous.owner(known, key) == instance;
        }
    }
}
