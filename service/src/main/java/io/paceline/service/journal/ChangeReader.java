package io.paceline.service.journal;

import io.paceline.health.Hold;
import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.Trail;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.store.Due;
import io.paceline.store.Enrollee;
import io.paceline.store.StoreChange;
import io.paceline.store.StoreSnapshot.Binding;
import io.paceline.store.StoreSnapshot.Counted;
import io.paceline.store.StoreSnapshot.Latencies;
import io.paceline.store.StoreSnapshot.Lease;
import io.paceline.store.StoreSnapshot.LimitState;
import io.paceline.store.StoreSnapshot.Reservation;
import io.paceline.store.StoreSnapshot.Slot;
import io.paceline.store.StoreSnapshot.Subject;
import io.paceline.store.StoreSnapshot.TallyState;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link ChangeWriter} has written. */
final class ChangeReader {
    /** What a charge of low priority is known by; of the rest of a key nothing is kept. */
    private static final String LOW = "||low";

    private final OctetReader in;

    ChangeReader(OctetReader in) {
        this.in = in;
    }

    /** @throws IllegalArgumentException where the octets are no change */
    StoreChange read() {
        int type = in.octet();
        return switch (type) {
            case ChangeWriter.CHAIN -> new StoreChange.OfChain(in.smallNumber(), in.number(), expired());
            case ChangeWriter.ADDRESS ->
                new StoreChange.OfAddress(
                        in.smallNumber(),
                        new Slot(new Enrollee(in.hash(), in.hash(), in.hash()), in.flag(), subject()));
            case ChangeWriter.CELL -> new StoreChange.OfCell(in.smallNumber(), subject());
            case ChangeWriter.SESSION -> new StoreChange.OfSession(in.smallNumber(), session());
            case ChangeWriter.TALLY -> new StoreChange.OfTally(in.smallNumber(), tally());
            case ChangeWriter.LEASE -> new StoreChange.OfLease(lease());
            case ChangeWriter.LIMIT -> new StoreChange.OfLimit(limit());
            case ChangeWriter.TICKET -> new StoreChange.OfTicket(ticket());
            case ChangeWriter.GONE -> new StoreChange.Gone(one(Codes.KINDS), in.smallNumber(), in.hash());
            default -> throw new IllegalArgumentException("a record of type " + type + " is unknown");
        };
    }

    private <T> T one(List<T> all) {
        int code = in.octet();
        if (code >= all.size()) {
            throw new IllegalArgumentException(code + " is none of " + all.size());
        }
        return all.get(code);
    }

    private List<Due.Expired> expired() {
        int count = in.length();
        List<Due.Expired> expired = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            expired.add(new Due.Expired(in.hash(), in.smallNumber(), in.hash(), in.smallNumber(), in.smallNumber()));
        }
        return expired;
    }

    private Subject subject() {
        return new Subject(
                in.smallNumber(),
                in.hash(),
                standing(),
                in.smallNumber(),
                trail(),
                in.smallNumber(),
                new Counted(in.number(), in.smallNumber(), in.smallNumber()),
                in.smallNumber(),
                in.smallNumber(),
                in.smallNumber(),
                in.decimal(),
                in.flag() ? latencies() : Latencies.NONE,
                in.number(),
                in.number(),
                in.numbers());
    }

    private Latencies latencies() {
        return new Latencies(
                hashes(), in.smallNumber(), in.decimal(), new Latency(in.decimal(), in.decimal(), in.decimal()));
    }

    private List<Long> hashes() {
        int count = in.length();
        List<Long> hashes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            hashes.add(in.hash());
        }
        return hashes;
    }

    private Standing standing() {
        return new Standing(
                one(Codes.STATES),
                in.smallNumber(),
                in.number(),
                in.number(),
                in.number(),
                in.smallNumber(),
                in.number(),
                in.number(),
                hold());
    }

    private Hold hold() {
        int flags = in.octet();
        Hold.Ban ban = (flags & 4) == 0 ? null : new Hold.Ban(in.text(), in.number());
        return flags == 0 ? Hold.NONE : new Hold((flags & 1) != 0, (flags & 2) != 0, ban);
    }

    private Trail trail() {
        long faults = 0;
        long captchas = 0;
        int length = 0;
        long low = 0;
        long high = 0;
        if (in.flag()) {
            faults = in.hash();
            captchas = in.hash();
            length = in.smallNumber();
            low = in.hash();
            high = in.hash();
        }
        return new Trail(
                faults, captchas, length, low, high, in.smallNumber(), in.number(), in.smallNumber(), in.smallNumber());
    }

    private Binding session() {
        long key = in.hash();
        int chain = in.smallNumber();
        int slot = in.smallNumber();
        long expires = in.number();
        long leasesUntil = in.number();
        int flags = in.octet();
        return new Binding(
                key,
                chain,
                slot,
                (flags & 1) != 0,
                (flags & 2) != 0,
                expires,
                leasesUntil,
                (flags & 4) != 0,
                (flags & 8) != 0,
                (flags & 16) != 0,
                (flags & 32) != 0);
    }

    private TallyState tally() {
        return new TallyState(
                in.hash(),
                in.number(),
                hashes(),
                times(),
                in.numbers(),
                in.numbers(),
                in.number(),
                in.longDecimal(),
                in.longDecimal(),
                in.longDecimal(),
                in.longDecimal(),
                in.number(),
                in.decimal());
    }

    private List<Long> times() {
        int count = in.length();
        List<Long> times = new ArrayList<>(count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            before += in.number();
            times.add(before);
        }
        return times;
    }

    private Lease lease() {
        long id = in.hash();
        int chain = in.smallNumber();
        int slot = in.smallNumber();
        long target = in.hash();
        int addressEpoch = in.smallNumber();
        int cellEpoch = in.smallNumber();
        long granted = in.number();
        long expires = in.number();
        List<Charge> charges = charges();
        List<Long> marks = in.numbers();
        int flags = in.octet();
        boolean ofSession = (flags & 2) != 0;
        return new Lease(
                id,
                chain,
                slot,
                target,
                addressEpoch,
                cellEpoch,
                (flags & 1) != 0,
                granted,
                expires,
                charges,
                marks,
                ofSession,
                ofSession ? in.smallNumber() : 0,
                ofSession ? in.hash() : 0,
                (flags & 4) != 0);
    }

    private List<Charge> charges() {
        int count = in.length();
        List<Charge> charges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            charges.add(charge());
        }
        return charges;
    }

    private Charge charge() {
        String rule = in.text();
        long hash = in.hash();
        LimitSpec spec = spec();
        long maxWait = in.number();
        int flags = in.octet();
        return new Charge(
                rule,
                (flags & 4) != 0 ? LOW : "",
                hash,
                spec,
                maxWait,
                (flags & 1) != 0,
                scope(),
                (flags & 2) != 0,
                in.smallNumber());
    }

    private Scope scope() {
        int words = in.octet();
        List<Per> per = new ArrayList<>();
        for (int i = 0; i < Codes.SCOPES.size(); i++) {
            if ((words & (1 << i)) != 0) {
                per.add(Codes.SCOPES.get(i));
            }
        }
        return Scope.of(per);
    }

    private LimitSpec spec() {
        int type = in.octet();
        return switch (type) {
            case ChangeWriter.GCRA -> new LimitSpec.Gcra(in.number(), in.smallNumber());
            case ChangeWriter.WINDOW -> new LimitSpec.Window(in.smallNumber(), in.number());
            case ChangeWriter.CALENDAR -> new LimitSpec.Calendar(in.smallNumber(), in.number(), zone());
            case ChangeWriter.CONCURRENCY -> new LimitSpec.Concurrency(in.smallNumber());
            case ChangeWriter.PACE -> new LimitSpec.Pace(in.longDecimal(), in.longDecimal());
            default -> throw new IllegalArgumentException("a limit of type " + type + " is unknown");
        };
    }

    private ZoneId zone() {
        try {
            return ZoneId.of(in.text());
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(unknown.getMessage(), unknown);
        }
    }

    private LimitState limit() {
        return new LimitState(in.hash(), spec(), in.number(), in.flag(), times());
    }

    private Reservation ticket() {
        return new Reservation(in.hash(), charges(), in.numbers(), charge(), in.number(), in.number());
    }
}
