package io.paceline.pool;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is in a pool: in list order, by slot, and by id. About 20 bytes a member. Made anew by each reload, and then only read:
 * so a plain table of members, twice as long as the list, will do for the ids. Guarded by its {@link PoolView}.
 */
final class Members extends AbstractCollection<Member> {
    private final List<Member> inOrder;
    private final List<@Nullable Member> bySlot;
    private final @Nullable Member[] byId;

    /** @param most how many will be added at most */
    Members(int most) {
        inOrder = new ArrayList<>(most);
        bySlot = new ArrayList<>(most);
        byId = new @Nullable Member[Integer.highestOneBit(Math.max(1, most)) * 4];
    }

    /** Adds a member whose slot and id are its own alone. */
    void add(Member member, int slot) {
        while (bySlot.size() <= slot) {
            bySlot.add(null);
        }
        bySlot.set(slot, member);
        int place = placeOf(member.address().id());
        if (byId[place] == null) {
            byId[place] = member;
            inOrder.add(member);
        }
    }

    @Nullable
    Member at(int slot) {
        return slot >= 0 && slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    @Nullable
    Member named(String id) {
        return byId[placeOf(id)];
    }

    /** Where the id stands, or the empty place where it would. */
    private int placeOf(String id) {
        int mask = byId.length - 1;
        int place = (int) Hashing.komihash5_0().hashCharsToLong(id) & mask;
        for (Member there = byId[place]; there != null && !there.address().id().equals(id); there = byId[place]) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** In list order. */
    @Override
    public Iterator<Member> iterator() {
        return inOrder.iterator();
    }

    @Override
    public int size() {
        return inOrder.size();
    }
}
