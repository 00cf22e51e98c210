package io.paceline.redis;

import io.paceline.pace.Charge;
import io.paceline.pace.TargetPace;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.SessionClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Admissions as the script reads them, and its answers. Thread-safe. */
final class Admissions {
    private static final byte[] NOTHING = new byte[0];

    /** The script has asked for a calendar's windows at another time so often: somebody's clock runs wild. */
    private static final int MOST_TRIES = 3;

    /** Arguments up to the charges, which are always sent. */
    private static final int CHARGES = 4;

    private static final int CHAIN = 8;

    private static final int GRANTED = 1;
    private static final int RESERVED = 2;
    private static final int LATER = 3;
    private static final int FULL = 4;
    private static final int BUSY = 5;
    private static final int SESSION_PAUSED = 6;
    private static final int SESSION_BUSY = 7;
    private static final int SESSION_MOVING = 8;
    private static final int SESSION_ENDED = 9;
    private static final int TICKET_GONE = 10;
    private static final int TICKET_EARLY = 11;
    private static final int AGAIN = 12;

    private final Function<byte[][], CompletionStage<List<Object>>> script;
    private final StoreClock clock = new StoreClock();

    Admissions(Function<byte[][], CompletionStage<List<Object>>> script) {
        this.script = script;
    }

    CompletionStage<Admitted> admit(Admission asked) {
        return admit(asked, MOST_TRIES);
    }

    private CompletionStage<Admitted> admit(Admission asked, int tries) {
        return script.apply(arguments(asked)).thenCompose(found -> {
            Answer answer = told(found);
            clock.saw(answer.micros(1));
            return answer.number(0) == AGAIN && tries > 1
                    ? admit(asked, tries - 1)
                    : CompletableFuture.completedFuture(admitted(asked, answer));
        });
    }

    // ---- the question

    /** What most have comes first; what is empty at the end is not sent. */
    private byte[][] arguments(Admission asked) {
        List<Charge> charges = asked.charges();
        List<byte[]> arguments = new ArrayList<>(5);
        arguments.add(new Packer()
                .octet(Codes.of(asked.purpose()))
                .integer(asked.count())
                .number(asked.ttlMicros())
                .number(asked.maxWaitMicros())
                .raw(Packer.hex(asked.chain()))
                .raw(RedisStore.marked(asked.target()))
                .done());
        arguments.add(ids(asked));
        arguments.add(candidates(asked.candidates()));
        Packer packed = new Packer();
        charges.forEach(charge -> Charges.pack(packed, charge));
        arguments.add(packed.done());
        arguments.add(asked.maxWaitMicros() > 0 && asked.ticket() == 0 ? Charges.labels(charges) : NOTHING);
        arguments.add(asked.ticket() == 0 ? NOTHING : Packer.id8(asked.ticket()));
        arguments.add(claim(asked.session()));
        Charges.calendars(charges, clock.micros(), arguments);
        int last = arguments.size();
        while (arguments.get(last - 1).length == 0 && last > CHARGES) {
            last--;
        }
        return arguments.subList(0, last).toArray(new byte[0][]);
    }

    private static byte[] ids(Admission asked) {
        Packer ids = new Packer();
        for (int i = 0; i < asked.count(); i++) {
            ids.id(asked.leaseId() + i);
        }
        return ids.done();
    }

    private static byte[] candidates(List<Candidate> candidates) {
        Packer packer = new Packer();
        for (Candidate candidate : candidates) {
            packer.integer(candidate.slot()).integer(candidate.cap()).integer(candidate.cellCap());
        }
        return packer.done();
    }

    private static byte[] claim(@Nullable SessionClaim claim) {
        if (claim == null) {
            return NOTHING;
        }
        Packer packer = new Packer()
                .number(claim.ttlMicros())
                .flag(claim.sliding())
                .octet(Codes.of(claim.onAddressDeath()))
                .number(claim.lostAfterOutMicros())
                .raw(Packer.hex(claim.chain()))
                .raw(Packer.hex(claim.key()));
        for (SessionClaim.Caps caps : claim.caps()) {
            packer.raw(Packer.hex(caps.chain())).integer(caps.cap()).integer(caps.cellCap());
        }
        return packer.done();
    }

    // ---- the answer

    /** What is granted with nothing else to tell comes as one string. */
    private static Answer told(List<Object> found) {
        Answer answer = new Answer(found);
        return answer.size() > 1
                ? answer
                : new Answer(List.of(
                        (long) GRANTED,
                        new Unpacker(answer.octets(0)).number(),
                        List.of(),
                        List.of(),
                        answer.octets(0)));
    }

    private static Admitted admitted(Admission asked, Answer answer) {
        long now = answer.micros(1);
        return switch (answer.number(0)) {
            case GRANTED -> granted(asked, answer);
            case RESERVED ->
                new Admitted.Reserved(
                        asked.leaseId(), Charges.labelled(answer.octets(2)), answer.micros(3), answer.micros(4), now);
            case LATER -> new Admitted.Later(binding(asked, answer, answer.octets(5)), answer.micros(4), now);
            case FULL -> full(asked, answer, 2, answer.octets(6), now);
            case BUSY -> busy(asked, answer);
            case SESSION_PAUSED -> new Admitted.SessionPaused(answer.number(2), orNever(answer.micros(3)), now);
            case SESSION_BUSY -> new Admitted.SessionBusy(Unpacker.hexInt(answer.octets(2)), answer.number(3), now);
            case SESSION_MOVING -> new Admitted.SessionMoving(Unpacker.hexInt(answer.octets(2)), answer.micros(3), now);
            case SESSION_ENDED -> new Admitted.SessionEnded(now);
            case TICKET_GONE -> new Admitted.TicketGone(now);
            case TICKET_EARLY -> new Admitted.TicketEarly(Charges.labelled(answer.octets(2)), answer.micros(3), now);
            default -> throw new IllegalStateException("the store's time is not that of its own answers: " + now);
        };
    }

    /** The end of time does not fit into an answer, and comes out as its beginning. */
    private static long orNever(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros;
    }

    private static Admitted granted(Admission asked, Answer answer) {
        List<Admitted.Grant> grants = new ArrayList<>();
        Unpacker in = new Unpacker(answer.octets(4));
        in.number(); // the time
        while (in.more()) {
            long id = asked.leaseId() + grants.size();
            int chain = Unpacker.hexInt(in.raw(CHAIN));
            grants.add(new Admitted.Grant(
                    id, chain, in.integer(), in.integer(), in.integer(), in.number(), in.number(), in.octet() == 1));
        }
        return new Admitted.Granted(
                grants, rules(asked, answer.list(2)), rules(asked, answer.list(3)), answer.micros(1));
    }

    private static List<String> rules(Admission asked, List<Object> places) {
        return places.stream()
                .map(place -> asked.charges().get(((Long) place).intValue() - 1).rule())
                .toList();
    }

    private static Admitted busy(Admission asked, Answer answer) {
        List<Admitted.CandidateRow> rows = new ArrayList<>();
        for (Answer row : answer.part(2).parts()) {
            rows.add(new Admitted.CandidateRow(
                    row.number(0),
                    Rows.address(row.octets(1)),
                    Rows.cell(row.octets(2)),
                    row.number(3),
                    row.number(4)));
        }
        long now = answer.micros(1);
        Admitted.Full limited = answer.isList(3) ? full(asked, answer.part(3), 0, answer.octets(4), now) : null;
        return new Admitted.Busy(rows, limited, now);
    }

    private static Admitted.Full full(Admission asked, Answer answer, int from, byte[] address, long now) {
        Charge charge = charge(asked, answer.number(from), answer.number(from + 1), address);
        return new Admitted.Full(charge, answer.micros(from + 2), answer.micros(from + 3), now);
    }

    private static Charge binding(Admission asked, Answer answer, byte[] address) {
        return charge(asked, answer.number(2), answer.number(3), address);
    }

    /** A charge as it is told: a target's pace goes by the name of what holds the request back. */
    private static Charge charge(Admission asked, int place, int reason, byte[] address) {
        Charge charge = Charges.located(asked.charges().get(place - 1), address);
        return switch (reason) {
            case 1 -> charge.called(TargetPace.SERVER_HINT);
            case 2 -> charge.called(TargetPace.SLOWED);
            case 3 -> charge.called(TargetPace.ADAPTIVE);
            default -> charge;
        };
    }
}
