package io.paceline.redis;

import io.paceline.health.Sign;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Makes a chain's members those of a list, part by part: a script that went through a hundred thousand of them at once would let
 * everybody wait for seconds. One part is asked for when the one before is done.
 *
 * <p>Whoever else looks meanwhile sees a part of the change. A step may be repeated, and an enrolment that broke off is made
 * good by the next one.
 */
final class Enrolment {
    private static final byte[] FIND = Packer.text("find");
    private static final byte[] CHANGE = Packer.text("change");
    private static final byte[] SEAT = Packer.text("seat");

    private static final int FIRST_SLOT = 3;
    private static final int FIRST_ROW = 4;
    private static final int TAG_SHIFT = 40;

    private final Function<byte[][], CompletionStage<List<Object>>> script;
    private final byte[] chain;
    private final List<Enrollee> members;
    private final int part;

    private final BitSet found = new BitSet();
    private final List<Enrollee> returning = new ArrayList<>();
    private final List<Integer> slots;
    private final List<SubjectRow> rows;
    private int tableSize;
    private long version;

    /** @param part how many members one step is for */
    Enrolment(Function<byte[][], CompletionStage<List<Object>>> script, int chain, List<Enrollee> members, int part) {
        this.script = script;
        this.chain = Packer.hex(chain);
        this.members = members;
        this.part = part;
        this.slots = new ArrayList<>(members.size());
        this.rows = new ArrayList<>(members.size());
    }

    CompletionStage<Enrolled> run() {
        return find(0).thenCompose(done -> change(leaving(), 0))
                .thenCompose(done -> seat(0))
                .thenApply(done -> new Enrolled(slots, rows, tableSize, version));
    }

    private CompletionStage<Void> find(int from) {
        List<Enrollee> asked = members.subList(from, Math.min(members.size(), from + part));
        return script.apply(new byte[][] {chain, FIND, packed(asked)}).thenCompose(values -> {
            Answer answer = new Answer(values);
            tableSize = answer.number(1);
            for (int i = 0; i < asked.size(); i++) {
                int slot = answer.number(FIRST_SLOT + i);
                if (slot < -1) {
                    returning.add(asked.get(i));
                    found.set(-2 - slot);
                } else if (slot >= 0) {
                    found.set(slot);
                }
            }
            return from + part < members.size() ? find(from + part) : done();
        });
    }

    private List<Integer> leaving() {
        List<Integer> leaving = new ArrayList<>();
        for (int slot = found.nextClearBit(0); slot < tableSize; slot = found.nextClearBit(slot + 1)) {
            leaving.add(slot);
        }
        return leaving;
    }

    private CompletionStage<Void> change(List<Integer> leaving, int from) {
        if (from >= leaving.size() && from >= returning.size()) {
            return done();
        }
        Packer gone = new Packer();
        of(leaving, from).forEach(gone::integer);
        return script.apply(new byte[][] {chain, CHANGE, gone.done(), packed(of(returning, from))})
                .thenCompose(values -> change(leaving, from + part));
    }

    private <T> List<T> of(List<T> all, int from) {
        return from >= all.size() ? Collections.emptyList() : all.subList(from, Math.min(all.size(), from + part));
    }

    private CompletionStage<Void> seat(int place) {
        List<Enrollee> asked = of(members, slots.size());
        return script.apply(new byte[][] {chain, SEAT, Packer.text(place), packed(asked)})
                .thenCompose(values -> {
                    Answer answer = new Answer(values);
                    tableSize = answer.number(1);
                    version = answer.micros(2);
                    for (int i = FIRST_ROW; i < answer.size(); i += 2) {
                        slots.add(answer.number(i));
                        rows.add(Rows.address(answer.octets(i + 1)));
                    }
                    return slots.size() < members.size() ? seat(answer.number(3)) : done();
                });
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static byte[] packed(List<Enrollee> members) {
        Packer packer = new Packer();
        for (Enrollee member : members) {
            packer.id(member.identity())
                    .id(member.tag())
                    .id(member.otherTag())
                    .word(markOfTag(member.tag()))
                    .word(markOfTag(member.otherTag()));
        }
        return packer.done();
    }

    private static int markOfTag(long tag) {
        return (int) (TallyRow.entry(Sign.NONE, false, false, 0, 0, tag, 0) >>> TAG_SHIFT) & 0xfff;
    }
}
