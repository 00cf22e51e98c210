package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Address;
import io.paceline.pace.HostPattern;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.redis.degraded.Division;
import io.paceline.redis.degraded.Reshard;
import io.paceline.redis.degraded.Reshard.LimitShares;
import io.paceline.redis.degraded.Reshard.Span;
import io.paceline.redis.degraded.Reshard.Work;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shards}: what each division method moves when the number of instances changes. */
@Command(
        name = "shards",
        description = "What moves when the number of gatekeepers over one store changes, by each division method.",
        footer = {
            "",
            "Without a configuration: an example of 1,000 addresses, 10,000 session keys and 200 targets.",
            "With one: its own addresses, targets and rules, and 10,000 session keys.",
            "The method is chosen in the configuration: redis: { division: hash }. See docs/distributed.md.",
            "",
            "Example: paceline shards --instances 3 --then 4 --config paceline.yaml"
        })
final class ShardsCommand implements Runnable {
    private static final int MOST_INSTANCES = 1_000;
    private static final int SESSIONS = 10_000;
    private static final int EXAMPLE_ADDRESSES = 1_000;
    private static final int EXAMPLE_TARGETS = 200;
    /** Rules that the text shows; there may be thousands. */
    private static final int RULES_SHOWN = 10;

    /** The ids are not shown, so any key does. */
    private static final AddressIds IDS = AddressIds.keyed(new byte[32]);

    private static final Rule EXAMPLE_RULE = Rule.builder(HostPattern.parse("*"))
            .name("example")
            .limit(60)
            .window(Duration.ofMinutes(1))
            .build();

    @Option(names = "--instances", required = true, paramLabel = "N", description = "How many there are now.")
    private int instances;

    @Option(names = "--then", required = true, paramLabel = "M", description = "How many there are to be.")
    private int then;

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        checked("--instances", instances);
        checked("--then", then);
        if (instances == then) {
            throw Failure.input("--then is " + then + " as --instances is, so nothing moves: write another number");
        }
        boolean example = !options.named();
        ServiceConfig config = example ? null : load();
        Work work = config == null ? example() : work(config);
        List<Rule> rules = config == null
                ? List.of(EXAMPLE_RULE, RuleBook.DEFAULT_PACE)
                : config.rules().isEmpty() ? List.of(RuleBook.DEFAULT_PACE) : config.rules();
        List<Reshard> all = new ArrayList<>();
        for (Division division : Division.values()) {
            all.add(Reshard.of(division, instances, then, work, rules));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(asJson(all, work, example).toPrettyString());
        } else {
            print(all, work, out);
        }
    }

    private static void checked(String option, int value) {
        if (value < 1 || value > MOST_INSTANCES) {
            throw Failure.input(option + " must be 1 to " + MOST_INSTANCES + ", not " + value);
        }
    }

    private ServiceConfig load() {
        return ConfigLoader.load(options.inputs(IDS)).match(loaded -> loaded, errors -> {
            throw Failure.input(errors.stream().map(ConfigError::toString).toList());
        });
    }

    private static List<String> named(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static Work example() {
        return new Work(named("a", EXAMPLE_ADDRESSES), named("session-", SESSIONS), named("site-", EXAMPLE_TARGETS));
    }

    /** Each address once, in however many pools it stands; where no target is named there are as many as in the example. */
    private static Work work(ServiceConfig config) {
        Set<String> addresses = new LinkedHashSet<>();
        for (PoolConfig pool : config.pools()) {
            pool.addresses().stream().map(Address::id).forEach(addresses::add);
        }
        if (addresses.isEmpty()) {
            throw Failure.input("the configuration has no addresses to divide: lists from URLs are not fetched here");
        }
        List<String> targets = config.targets().stream()
                .map(TargetSettings::name)
                .filter(name -> name != null && !name.isEmpty())
                .distinct()
                .toList();
        return new Work(
                List.copyOf(addresses),
                named("session-", SESSIONS),
                targets.isEmpty() ? named("site-", EXAMPLE_TARGETS) : targets);
    }

    // ---- for people

    private void print(List<Reshard> all, Work work, PrintWriter out) {
        out.println("from " + Words.count(instances, "instance") + " to " + then + ": "
                + grouped(work.addresses().size()) + " addresses, " + grouped(SESSIONS) + " session keys, "
                + grouped(work.targets().size()) + " targets"
                + (options.named() ? " (" + options.described() + ")" : " (an example; --config F for your own)"));
        out.println();
        row(out, "", all, each -> each.division().word());
        row(
                out,
                "addresses that move",
                all,
                each -> part(each.addressesMoved(), work.addresses().size()));
        row(out, "sessions that move", all, each -> part(each.sessionsMoved(), SESSIONS));
        row(out, "sessions that end", all, each -> part(each.sessionsBroken(), SESSIONS));
        row(
                out,
                "targets that move",
                all,
                each -> part(each.targetsMoved(), work.targets().size()));
        row(out, "addresses each has, of " + instances, all, each -> text(each.addressesNow()));
        row(out, "addresses each has, of " + then, all, each -> text(each.addressesThen()));
        row(out, "targets each serves, of " + instances, all, each -> text(each.targetsNow()));
        row(out, "targets each serves, of " + then, all, each -> text(each.targetsThen()));
        int limits = all.get(0).limits().size();
        for (int i = 0; i < Math.min(limits, RULES_SHOWN); i++) {
            int index = i;
            row(
                    out,
                    limit(all.get(0).limits().get(i)),
                    all,
                    each -> share(each.limits().get(index)));
        }
        if (limits > RULES_SHOWN) {
            out.println("and " + (limits - RULES_SHOWN) + " more limits (--json has all)");
        }
        out.println();
        all.forEach(each -> out.println(each.division().word() + ": " + meaning(each)));
    }

    private static void row(PrintWriter out, String name, List<Reshard> all, Function<Reshard, String> cell) {
        out.println(String.format(Locale.ROOT, "%-34s", name)
                + all.stream()
                        .map(each -> String.format(Locale.ROOT, "%16s", cell.apply(each)))
                        .collect(Collectors.joining()));
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String part(int moved, int of) {
        return moved == 0 ? "0" : grouped(moved) + String.format(Locale.ROOT, " (%.0f %%)", 100.0 * moved / of);
    }

    private static String change(Span now, Span next) {
        return text(now).equals(text(next)) ? text(now) : text(now) + " > " + text(next);
    }

    private static String text(Span span) {
        return span.least() == span.most() ? "" + span.most() : span.least() + "-" + span.most();
    }

    private static String limit(LimitShares limit) {
        return "limit " + limit.rule() + ", " + unit(limit);
    }

    private static String unit(LimitShares limit) {
        if (limit.whole() instanceof LimitSpec.Concurrency) {
            return "at once";
        }
        return limit.whole() instanceof LimitSpec.Gcra ? "burst" : "a window";
    }

    private static String share(LimitShares limit) {
        return change(limit.now(), limit.then());
    }

    private String meaning(Reshard each) {
        String rests = "rest for one lease and one window (a minute, by default)";
        return switch (each.division()) {
                    case BROKER ->
                        "nothing moves and no session ends: every instance asks the store, and may use everything.";
                    case HASH ->
                        Words.count(each.addressesMoved(), "address") + " " + rests
                                + ", then another instance uses them; their sessions go on there by the same address, and none ends.";
                    case MODULO ->
                        "most of the pool, " + Words.count(each.addressesMoved(), "address") + ", must " + rests
                                + "; sessions keep their address, but most of them wait so long.";
                    case DOMAIN ->
                        Words.count(each.targetsMoved(), "target") + " and "
                                + Words.count(each.addressesMoved(), "address")
                                + " " + rests + "; " + grouped(each.sessionsBroken())
                                + " sessions end, since their target and their address have two owners afterwards."
                                + " Limits of a target stay whole.";
                }
                + starved(each);
    }

    /** Where there are more instances than places. */
    private String starved(Reshard each) {
        return each.limits().stream()
                .filter(limit -> limit.withoutThen() > 0)
                .findFirst()
                .map(limit -> " Of a limit like " + limit.rule() + " there is not enough for all: "
                        + limit.withoutThen() + " of " + then + " instances send its requests elsewhere.")
                .orElse("");
    }

    // ---- for machines

    private ObjectNode asJson(List<Reshard> all, Work work, boolean example) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("instances", instances)
                .put("then", then)
                .put("example", example)
                .put("addresses", work.addresses().size())
                .put("sessions", SESSIONS)
                .put("targets", work.targets().size());
        ArrayNode methods = root.putArray("methods");
        for (Reshard each : all) {
            ObjectNode node = methods.addObject()
                    .put("division", each.division().word())
                    .put("addresses_moved", each.addressesMoved())
                    .put("sessions_moved", each.sessionsMoved())
                    .put("sessions_ended", each.sessionsBroken())
                    .put("targets_moved", each.targetsMoved());
            spans(node.putObject("addresses_per_instance"), each.addressesNow(), each.addressesThen());
            spans(node.putObject("targets_per_instance"), each.targetsNow(), each.targetsThen());
            ArrayNode limits = node.putArray("limits");
            for (LimitShares limit : each.limits()) {
                ObjectNode one = limits.addObject()
                        .put("rule", limit.rule())
                        .put("counts", unit(limit))
                        .put("whole", limit.whole().mostAtOnce());
                spans(one.putObject("share_per_instance"), limit.now(), limit.then());
                one.put("without_share_now", limit.withoutNow()).put("without_share_then", limit.withoutThen());
            }
            node.put("means", meaning(each));
        }
        return root;
    }

    private static void spans(ObjectNode node, Span now, Span next) {
        node.putObject("now").put("least", now.least()).put("most", now.most());
        node.putObject("then").put("least", next.least()).put("most", next.most());
    }
}
