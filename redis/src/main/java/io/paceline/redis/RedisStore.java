package io.paceline.redis;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.health.Sign;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import io.paceline.pace.PaceRow;
import io.paceline.redis.degraded.Beat;
import io.paceline.redis.degraded.Beaten;
import io.paceline.redis.degraded.SharedStore;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.PaceShift;
import io.paceline.store.PaceShifted;
import io.paceline.store.ProbeClaim;
import io.paceline.store.SessionPage;
import io.paceline.store.SessionRow;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.SlotRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * The store that several gatekeepers share: each call is one script, which is one atomic step of Redis and one round trip.
 *
 * <p>It keeps nothing itself but a guess of the server's time. What the scripts keep, and where it differs from the embedded
 * store, is in docs/decisions/0018. Thread-safe; a stage fails, within the time-out, where Redis does not answer, and its call
 * may have been done all the same: it may be repeated.
 */
public final class RedisStore implements SharedStore, AutoCloseable {
    /** Members that one step of an enrolment is for: some milliseconds of Redis's time. */
    private static final int PART = 500;

    private static final int TARGET_SHIFT = 24;
    private static final byte[] NOTHING = new byte[0];

    private final Link link;
    private final Scripts scripts;
    private final byte[] key;
    private final byte[] channel;
    private final Admissions admissions;

    /** Connects, or says why it cannot. */
    public static RedisStore connect(RedisSettings settings) {
        return new RedisStore(LettuceLink.connect(settings), new Scripts(Scripts.SERVER_TIME), settings.prefix());
    }

    RedisStore(Link link, Scripts scripts, String prefix) {
        this.link = link;
        this.scripts = scripts;
        this.key = Packer.text("{" + prefix + "}:x");
        this.channel = Packer.text("{" + prefix + "}:changes");
        this.admissions = new Admissions(this::admitted);
    }

    @Override
    public void close() {
        link.close();
    }

    private CompletionStage<List<Object>> run(Script script, byte[]... arguments) {
        return link.run(script, key, arguments);
    }

    private CompletionStage<List<Object>> admitted(byte[][] arguments) {
        return run(scripts.admit, arguments);
    }

    @Override
    public CompletionStage<Admitted> admit(Admission admission) {
        return admissions.admit(admission);
    }

    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        byte[] numbers = new Packer()
                .number(settlement.lease().expiresAtMicros())
                .octet(Codes.of(settlement.address()))
                .octet(Codes.of(settlement.cell()))
                .octet((int) TallyRow.entry(settlement.sign(), false, false, 0, 0, 0, 0))
                .number(settlement.latencyMicros())
                .flag(settlement.reached())
                .flag(settlement.refund())
                .done();
        return run(scripts.settle, numbers, Packer.id8(settlement.lease().value()))
                .thenApply(answer -> settled(new Answer(answer)));
    }

    private static Settled settled(Answer answer) {
        if (answer.size() == 1) {
            return usual(new Unpacker(answer.octets(0)));
        }
        SettleResult result = switch (answer.number(0)) {
            case 1 -> SettleResult.RELEASED;
            case 2 -> SettleResult.EXPIRED;
            default -> SettleResult.ALREADY_RELEASED;
        };
        if (result != SettleResult.RELEASED) {
            return Settled.nothing(result, answer.micros(1));
        }
        List<TallyRow> tallies = new ArrayList<>();
        answer.list(5).forEach(raw -> tallies.add(Rows.tally((byte[]) raw)));
        byte[] pace = answer.octets(7);
        return new Settled(
                result,
                answer.flag(2),
                Rows.address(answer.octets(3)),
                Rows.cell(answer.octets(4)),
                tallies,
                answer.number(6),
                pace.length == 0 ? null : Rows.pace(pace),
                answer.micros(8),
                answer.micros(1));
    }

    /** A success while nobody is guilty comes as one string. */
    private static Settled usual(Unpacker in) {
        long now = in.number();
        long granted = in.number();
        int members = in.integer();
        byte[] address = in.raw(in.word());
        return new Settled(
                SettleResult.RELEASED,
                true,
                Rows.address(address),
                Rows.cell(in.raw(in.left())),
                List.of(),
                members,
                null,
                granted,
                now);
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        return run(
                        scripts.renew,
                        Packer.id8(lease.value()),
                        new Packer().number(ttlMicros).done())
                .thenApply(answer ->
                        answer.isEmpty() ? OptionalLong.empty() : OptionalLong.of(new Answer(answer).micros(0)));
    }

    @Override
    public CompletionStage<Settled> observe(
            int chain, int slot, long target, Settlement.Evidence address, Settlement.Evidence cell) {
        return run(
                        scripts.observe,
                        Packer.hex(chain),
                        Packer.text(slot),
                        marked(target),
                        Packer.text(Codes.of(address)),
                        Packer.text(Codes.of(cell)))
                .thenApply(found -> {
                    Answer answer = new Answer(found);
                    if (answer.number(0) == 0) {
                        return Settled.nothing(SettleResult.UNKNOWN, answer.micros(1));
                    }
                    byte[] rawCell = answer.octets(3);
                    return new Settled(
                            SettleResult.RELEASED,
                            true,
                            Rows.address(answer.octets(2)),
                            rawCell.length == 0 ? null : Rows.cell(rawCell),
                            List.of(),
                            answer.number(4),
                            null,
                            0,
                            answer.micros(1));
                });
    }

    /** A target with the marks that trails and tallies remember it by. */
    static byte[] marked(long target) {
        long entry = TallyRow.entry(Sign.NONE, false, false, 0, target, 0, 0);
        return new Packer()
                .id(target)
                .octet(Trail.mark(target))
                .word((int) (entry >>> TARGET_SHIFT))
                .done();
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        byte[] times = new Packer()
                .number(claim.idleMicros())
                .number(claim.holdMicros())
                .done();
        return run(
                        scripts.probe,
                        Packer.hex(claim.chain()),
                        Packer.text(claim.slot()),
                        Packer.id8(claim.claimer()),
                        times)
                .thenApply(RedisStore::yes);
    }

    private static boolean yes(List<Object> answer) {
        return new Answer(answer).flag(0);
    }

    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        byte[] budget = new Packer()
                .number(shift.budget().maxShare())
                .number(shift.budget().minInService())
                .done();
        return run(
                        scripts.shift,
                        Packer.hex(shift.chain()),
                        Packer.text(shift.slot()),
                        shift.target() == 0 ? NOTHING : Packer.id8(shift.target()),
                        Standings.pack(shift.expected()),
                        Standings.pack(shift.to()),
                        budget)
                .thenApply(found -> shifted(shift, new Answer(found)));
    }

    private static Shifted shifted(Shift shift, Answer answer) {
        return switch (answer.number(0)) {
            case 1 -> new Shifted.Applied(row(answer.octets(1), shift.target()), answer.micros(2));
            case 2 -> new Shifted.Capped();
            case 3 -> new Shifted.Stale(row(answer.octets(1), shift.target()));
            default -> new Shifted.Gone();
        };
    }

    private static SubjectRow row(byte[] raw, long target) {
        return target == 0 ? Rows.address(raw) : Rows.cell(raw);
    }

    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        PaceShift.Subject subject = shift.subject();
        PaceRow to = shift.to();
        return run(
                        scripts.pace,
                        subject.isCell() ? NOTHING : Packer.hex(subject.key()),
                        Packer.hex(subject.chain()),
                        Packer.text(subject.slot()),
                        Packer.id8(subject.target()),
                        Packer.text(shift.expectedEpoch()),
                        Rows.pack(to))
                .thenApply(found -> {
                    Answer answer = new Answer(found);
                    return new PaceShifted(answer.flag(0), Rows.pace(answer.octets(1)), answer.micros(2));
                });
    }

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return run(
                        scripts.convict,
                        Packer.hex(chain),
                        Packer.id8(tally),
                        new Packer().number(expectedSinceMicros).done(),
                        Packer.text(guilty ? 1 : 0))
                .thenApply(RedisStore::yes);
    }

    // ---- what changed

    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        return run(scripts.changes, Packer.hex(chain), Packer.text(sinceVersion), Packer.text(max))
                .thenCompose(found -> {
                    Answer answer = new Answer(found);
                    long version = answer.micros(0);
                    return answer.flag(1)
                            ? table(chain, version, Packer.text(0), new LinkedHashMap<>())
                            : CompletableFuture.completedFuture(new Changes(version, false, listed(answer)));
                });
    }

    @Override
    public void listen(IntConsumer toChains) {
        link.listen(channel, chain -> toChains.accept(Unpacker.hexInt(chain)));
    }

    private static List<Changes.Change> listed(Answer answer) {
        List<Changes.Change> changes = new ArrayList<>();
        for (int i = 2; i < answer.size(); i++) {
            Answer change = answer.part(i);
            byte[] target = change.octets(1);
            byte[] raw = change.octets(3);
            changes.add(new Changes.Change(
                    change.number(0),
                    target.length == 0 ? 0 : Unpacker.id8(target),
                    change.flag(2),
                    target.length == 0 && raw.length > 0 ? Rows.address(raw) : Rows.cell(raw)));
        }
        return changes;
    }

    private record Subject(int slot, long target) {}

    /**
     * Everything, in parts: one script for a large table would hold Redis up. Rows that change meanwhile are newer than the
     * version, and come once more with the next changes.
     */
    private CompletionStage<Changes> table(int chain, long version, byte[] from, Map<Subject, Changes.Change> known) {
        return run(scripts.table, Packer.hex(chain), from).thenCompose(found -> {
            Answer answer = new Answer(found);
            for (int i = 1; i < answer.size(); i++) {
                Answer row = answer.part(i);
                byte[] target = row.octets(1);
                long hash = target.length == 0 ? 0 : Unpacker.id8(target);
                Subject subject = new Subject(row.number(0), hash);
                known.put(subject, new Changes.Change(subject.slot, hash, false, row(row.octets(2), hash)));
            }
            byte[] next = answer.octets(0);
            return next.length == 1 && next[0] == '0'
                    ? CompletableFuture.completedFuture(new Changes(version, true, List.copyOf(known.values())))
                    : table(chain, version, next, known);
        });
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        return run(scripts.due, Packer.hex(chain), Packer.text(max)).thenApply(found -> {
            Answer answer = new Answer(found);
            List<Due.Wait> waits = new ArrayList<>();
            for (int i = 0; i < answer.list(3).size(); i++) {
                Answer wait = new Answer(answer.list(3)).part(i);
                byte[] target = wait.octets(1);
                long hash = target.length == 0 ? 0 : Unpacker.id8(target);
                waits.add(new Due.Wait(wait.number(0), hash, row(wait.octets(2), hash)));
            }
            List<Due.Expired> expired = new ArrayList<>();
            for (Object raw : answer.list(4)) {
                Unpacker in = new Unpacker((byte[]) raw);
                long lease = in.id();
                long target = in.id();
                expired.add(new Due.Expired(lease, in.integer(), target, in.integer(), in.integer()));
            }
            return new Due(
                    waits, expired, Math.min(later(answer.micros(1)), later(answer.micros(2))), answer.micros(0));
        });
    }

    private static long later(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros;
    }

    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members) {
        return enrol(chain, members, PART);
    }

    CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members, int part) {
        return new Enrolment(arguments -> run(scripts.enrol, arguments), chain, members, part).run();
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        return run(scripts.giveBack, Packer.id8(ticket)).thenApply(RedisStore::yes);
    }

    // ---- sessions, and what people look at

    private CompletionStage<List<Object>> sessions(String verb, int chain, byte[] subject, int max) {
        return run(scripts.session, Packer.text(verb), Packer.hex(chain), subject, Packer.text(max));
    }

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        return sessions("end", chain, Packer.hex(session), 0).thenApply(RedisStore::yes);
    }

    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        return sessions("repin", chain, Packer.hex(session), 0).thenApply(RedisStore::yes);
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        return sessions("see", chain, Packer.hex(session), 0)
                .thenApply(found -> found.isEmpty() ? Optional.empty() : Optional.of(seen(new Answer(found))));
    }

    private static SessionRow seen(Answer answer) {
        return new SessionRow(
                Unpacker.hexLong(answer.octets(0)),
                Unpacker.hexInt(answer.octets(1)),
                answer.number(2),
                answer.flag(3),
                answer.number(4),
                answer.micros(5),
                answer.flag(6),
                switch (answer.number(7)) {
                    case 1 -> SessionRow.State.MOVING;
                    case 2 -> SessionRow.State.ENDED;
                    default -> SessionRow.State.BOUND;
                });
    }

    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return sessions("count", chain, NOTHING, 0).thenApply(found -> new Answer(found).number(0));
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return sessions("page", chain, Packer.text(from), max).thenApply(found -> {
            Answer answer = new Answer(found);
            List<SessionRow> rows = new ArrayList<>();
            for (int i = 1; i < answer.size(); i++) {
                rows.add(seen(answer.part(i)));
            }
            return new SessionPage(rows, answer.micros(0));
        });
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        Packer packed = new Packer();
        targets.forEach(packed::id);
        return run(scripts.look, Packer.hex(chain), Packer.text(slot), packed.done())
                .thenApply(found -> {
                    if (found.isEmpty()) {
                        return new SlotRows(null, Map.of(), Map.of());
                    }
                    Answer answer = new Answer(found);
                    Map<Long, SubjectRow> cells = new LinkedHashMap<>();
                    Map<Long, Long> guilty = new LinkedHashMap<>();
                    for (Answer cell : answer.part(1).parts()) {
                        cells.put(Unpacker.id8(cell.octets(0)), Rows.cell(cell.octets(1)));
                    }
                    for (Answer tally : answer.part(2).parts()) {
                        guilty.put(Unpacker.id8(tally.octets(0)), tally.micros(1));
                    }
                    return new SlotRows(Rows.address(answer.octets(0)), cells, guilty);
                });
    }

    @Override
    public CompletionStage<Beaten> beat(Beat beat) {
        return run(scripts.beat, Packer.id8(beat.instance()), Rosters.pack(beat))
                .thenApply(found -> Rosters.beaten(new Answer(found)));
    }
}
