package io.paceline.redis;

import io.paceline.pace.Charge;
import io.paceline.pace.FixedWindow;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Charges as scripts read them, and as labels that a ticket keeps: whoever redeems it may have other rules by then. */
final class Charges {
    private static final int GCRA = 1;
    private static final int WINDOW = 2;
    private static final int CALENDAR = 3;
    private static final int CONCURRENCY = 4;
    private static final int PACE = 5;

    private static final int DRY_RUN = 1;
    private static final int PER_ADDRESS = 2;
    private static final int LOW = 4;

    /** Windows of a calendar that are sent: one before the one that it is believed to be, and two after. */
    private static final int WINDOWS = 4;

    private Charges() {}

    /** Appends a charge, of the same size whatever it is. */
    static void pack(Packer to, Charge charge) {
        int flags = (charge.dryRun() ? DRY_RUN : 0)
                | (charge.scope().perAddress() ? PER_ADDRESS : 0)
                | (charge.isLow() ? LOW : 0);
        LimitSpec spec = charge.spec();
        to.octet(type(spec))
                .octet(flags)
                .number(charge.maxWaitMicros())
                .number(first(spec))
                .number(second(spec))
                .number(charge.cost())
                .raw(Packer.hex(charge.hash()));
    }

    /**
     * Adds, for each charge that is a calendar's, its windows and its zone: scripts know none.
     *
     * @param nowMicros what the store's time is believed to be
     */
    static void calendars(List<Charge> charges, long nowMicros, List<byte[]> to) {
        for (Charge charge : charges) {
            if (charge.spec() instanceof LimitSpec.Calendar calendar) {
                Packer packer = new Packer();
                boundaries(packer, calendar, nowMicros);
                to.add(packer.raw(Packer.text(calendar.zone().getId())).done());
            }
        }
    }

    private static void boundaries(Packer packer, LimitSpec.Calendar calendar, long nowMicros) {
        long at = window(calendar, window(calendar, nowMicros)[0] - 1)[0];
        packer.number(at);
        for (int i = 0; i < WINDOWS; i++) {
            at = window(calendar, at)[1];
            packer.number(at);
        }
    }

    private static long[] window(LimitSpec.Calendar calendar, long at) {
        FixedWindow window = new FixedWindow(calendar);
        window.take(at, 1);
        return window.save();
    }

    private static int type(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra) {
            return GCRA;
        }
        if (spec instanceof LimitSpec.Window) {
            return WINDOW;
        }
        if (spec instanceof LimitSpec.Calendar) {
            return CALENDAR;
        }
        return spec instanceof LimitSpec.Concurrency ? CONCURRENCY : PACE;
    }

    private static double first(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra gcra) {
            return (double) gcra.intervalMicros();
        }
        if (spec instanceof LimitSpec.Window window) {
            return window.limit();
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return calendar.limit();
        }
        return spec instanceof LimitSpec.Concurrency concurrency ? concurrency.max() : ((LimitSpec.Pace) spec).floor();
    }

    private static double second(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra gcra) {
            return gcra.burst();
        }
        if (spec instanceof LimitSpec.Window window) {
            return (double) window.windowMicros();
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return (double) calendar.windowMicros();
        }
        return spec instanceof LimitSpec.Pace pace ? pace.ceiling() : 0;
    }

    // ---- labels

    /** The labels of all, each with its length before it. */
    static byte[] labels(List<Charge> charges) {
        Packer packer = new Packer();
        for (Charge charge : charges) {
            byte[] label = label(charge);
            packer.integer(label.length).raw(label);
        }
        return packer.done();
    }

    private static byte[] label(Charge charge) {
        Packer packer = new Packer()
                .octet(type(charge.spec()))
                .number(first(charge.spec()))
                .number(second(charge.spec()))
                .id(charge.hash())
                .number(charge.maxWaitMicros())
                .flag(charge.dryRun())
                .flag(charge.reserves())
                .octet(words(charge.scope()))
                .integer(charge.cost());
        text(packer, charge.rule());
        text(packer, charge.key());
        text(
                packer,
                charge.spec() instanceof LimitSpec.Calendar calendar
                        ? calendar.zone().getId()
                        : "");
        return packer.done();
    }

    private static int words(Scope scope) {
        int words = 0;
        for (Per word : Per.values()) {
            words |= scope.has(word) ? Codes.bit(word) : 0;
        }
        return words;
    }

    private static void text(Packer packer, String value) {
        byte[] octets = Packer.text(value);
        packer.integer(octets.length).raw(octets);
    }

    /** The charge of a ticket's label: before it the address, where the charge is that of one, as {@link #located} reads it. */
    static Charge labelled(byte[] label) {
        Unpacker in = new Unpacker(label);
        byte[] address = in.raw(in.octet());
        int type = in.octet();
        double first = in.real();
        double second = in.real();
        long hash = in.id();
        long maxWait = in.number();
        boolean dryRun = in.octet() == 1;
        boolean reserves = in.octet() == 1;
        Scope scope = scope(in.octet());
        int cost = in.integer();
        String rule = text(in);
        String key = text(in);
        LimitSpec spec = spec(type, first, second, text(in));
        return located(new Charge(rule, key, hash, spec, maxWait, dryRun, scope, reserves, cost), address);
    }

    private static String text(Unpacker in) {
        return Unpacker.string(in.raw(in.integer()));
    }

    private static Scope scope(int words) {
        List<Per> named = new ArrayList<>();
        for (Per word : Per.values()) {
            if ((words & Codes.bit(word)) != 0) {
                named.add(word);
            }
        }
        return Scope.of(named);
    }

    private static LimitSpec spec(int type, double first, double second, String zone) {
        return switch (type) {
            case GCRA -> new LimitSpec.Gcra((long) first, (int) second);
            case WINDOW -> new LimitSpec.Window((int) first, (long) second);
            case CALENDAR -> new LimitSpec.Calendar((int) first, (long) second, ZoneId.of(zone));
            case CONCURRENCY -> new LimitSpec.Concurrency((int) first);
            default -> new LimitSpec.Pace(first, second);
        };
    }

    /** The charge for the address of a bound session: chain and identity, or nothing where none of the charges names it. */
    static Charge located(Charge charge, byte[] address) {
        return address.length == 0 || !charge.scope().perAddress()
                ? charge
                : charge.at(
                        Unpacker.hexInt(Arrays.copyOf(address, 8)), Unpacker.id8(Arrays.copyOfRange(address, 8, 16)));
    }
}
