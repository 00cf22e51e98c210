package io.paceline.redis.degraded;

import com.dynatrace.hash4j.hashing.Hashing;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What moves when the number of instances changes, by the functions that instances divide the work with. Instances get the
 * numbers 1, 2, ... mixed, where real ones draw theirs at random: which address moves is another one there, how many is not.
 *
 * @param sessionsMoved that go on at another instance, by the same address
 * @param sessionsBroken whose address and target have two owners afterwards: they end
 * @param addressesNow how many one instance has, before and after
 * @param targetsNow how many one instance serves
 */
public record Reshard(
        Division division,
        int addressesMoved,
        int sessionsMoved,
        int sessionsBroken,
        int targetsMoved,
        Span addressesNow,
        Span addressesThen,
        Span targetsNow,
        Span targetsThen,
        List<LimitShares> limits) {

    public Reshard {
        limits = List.copyOf(limits);
    }

    /** What is divided: ids of addresses, names of sessions and targets. None may be empty but the sessions. */
    public record Work(List<String> addresses, List<String> sessions, List<String> targets) {
        public Work {
            if (addresses.isEmpty() || targets.isEmpty()) {
                throw new IllegalArgumentException("there must be an address and a target to divide");
            }
        }
    }

    /** The fewest and the most that an instance has. */
    public record Span(int least, int most) {}

    /**
     * @param whole what the limit lets start at once, or in its window
     * @param without instances that have no share of it
     */
    public record LimitShares(String rule, LimitSpec whole, Span now, int withoutNow, Span then, int withoutThen) {}

    /** @param rules whose limits are shown */
    public static Reshard of(Division division, int instances, int then, Work work, List<Rule> rules) {
        return new Counting(team(division, instances), team(division, then), work).count(rules);
    }

    private static Team team(Division division, int size) {
        return new Team(
                division,
                0,
                size,
                LongStream.rangeClosed(1, size)
                        .map(Rendezvous::mixed)
                        .sorted()
                        .boxed()
                        .toList());
    }

    private static long hash(String name) {
        return Hashing.komihash5_0().hashCharsToLong(name);
    }

    /** Counts once. */
    private static final class Counting {
        private final Team now;
        private final Team then;
        private final long[] addresses;
        private final long[] sessions;
        private final long[] targets;

        Counting(Team now, Team then, Work work) {
            this.now = now;
            this.then = then;
            addresses = work.addresses().stream().mapToLong(Reshard::hash).toArray();
            sessions = work.sessions().stream().mapToLong(Reshard::hash).toArray();
            targets = work.targets().stream().mapToLong(Reshard::hash).toArray();
        }

        Reshard count(List<Rule> rules) {
            boolean divided = now.division().isLocal();
            int moved = 0;
            int broken = 0;
            for (long session : divided ? sessions : new long[0]) {
                long target = targets[index(session, targets.length)];
                long address = addressOf(session, target);
                long next = then.ownerOfAddress(address);
                boolean torn = then.ownerOfTarget(target, next) != next;
                broken += torn ? 1 : 0;
                moved += !torn && next != now.ownerOfAddress(address) ? 1 : 0;
            }
            return new Reshard(
                    now.division(),
                    divided ? moved(addresses, false) : 0,
                    moved,
                    broken,
                    now.division().ownsTargets() ? moved(targets, true) : 0,
                    divided ? span(now, addresses, false) : all(addresses),
                    divided ? span(then, addresses, false) : all(addresses),
                    now.division().ownsTargets() ? span(now, targets, true) : all(targets),
                    now.division().ownsTargets() ? span(then, targets, true) : all(targets),
                    limits(rules));
        }

        private static int index(long key, int length) {
            return (int) Long.remainderUnsigned(Rendezvous.mixed(key), length);
        }

        /** A session begins at an address of whoever serves its target. */
        private long addressOf(long session, long target) {
            int first = index(~session, addresses.length);
            for (int i = 0; i < addresses.length; i++) {
                long address = addresses[(first + i) % addresses.length];
                long owner = now.ownerOfAddress(address);
                if (now.ownerOfTarget(target, owner) == owner) {
                    return address;
                }
            }
            return addresses[first];
        }

        private static long owner(Team team, long key, boolean target) {
            return target ? team.ownerOfTarget(key, 0) : team.ownerOfAddress(key);
        }

        private int moved(long[] keys, boolean target) {
            int moved = 0;
            for (long key : keys) {
                moved += owner(now, key, target) != owner(then, key, target) ? 1 : 0;
            }
            return moved;
        }

        private static Span all(long[] keys) {
            return new Span(keys.length, keys.length);
        }

        private static Span span(Team team, long[] keys, boolean target) {
            int[] counts = new int[team.size()];
            for (long key : keys) {
                counts[team.instances().indexOf(owner(team, key, target))]++;
            }
            return spanOf(counts);
        }

        private static Span spanOf(int[] counts) {
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (int count : counts) {
                least = Math.min(least, count);
                most = Math.max(most, count);
            }
            return new Span(least, most);
        }

        private List<LimitShares> limits(List<Rule> rules) {
            List<LimitShares> all = new ArrayList<>();
            for (Rule rule : rules) {
                LimitSpec rate = rule.rateSpec();
                LimitSpec atOnce = rule.concurrencySpec();
                if (rate != null) {
                    all.add(shares(rule, rate));
                }
                if (atOnce != null) {
                    all.add(shares(rule, atOnce));
                }
            }
            return all;
        }

        private LimitShares shares(Rule rule, LimitSpec spec) {
            Charge charge = Charge.of(rule.name(), rule.name(), spec, 0, false, rule.per(), false);
            int[] before = shares(now, charge);
            int[] after = shares(then, charge);
            return new LimitShares(rule.name(), spec, spanOf(before), none(before), spanOf(after), none(after));
        }

        private int[] shares(Team team, Charge charge) {
            return team.instances().stream()
                    .mapToInt(instance -> {
                        LimitSpec own = team.division().isLocal()
                                ? team.share(charge, targets[0], true, instance)
                                : charge.spec();
                        return own == null ? 0 : own.mostAtOnce();
                    })
                    .toArray();
        }

        private static int none(int[] shares) {
            int none = 0;
            for (int share : shares) {
                none += share == 0 ? 1 : 0;
            }
            return none;
        }
    }
}
