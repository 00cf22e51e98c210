package io.paceline.service.advice;

import static io.paceline.service.advice.Figures.count;
import static io.paceline.service.advice.Figures.percent;
import static io.paceline.service.advice.Figures.seconds;
import static io.paceline.service.advice.Figures.share;

import io.paceline.GateConfig;
import io.paceline.pace.Rate;
import io.paceline.pace.Rule;
import io.paceline.pool.PoolConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From sums to sentences: each method looks for one thing that a run can teach, and says nothing where the figures are too
 * small to teach it. The thresholds are ours; each stands where it is used, with its reason.
 */
final class Suggestions {
    /** Fewer answers of a site, or an address, may be chance. */
    private static final int ENOUGH_ANSWERS = 20;

    /** So many quiet answers say that a site bears the pace: at 1 % of complaints, 500 without one happen once in 150. */
    private static final int ENOUGH_QUIET = 500;

    /** Three complaints are no accident. */
    private static final int COMPLAINTS = 3;

    /** Below a hundredth a matter is not worth a sentence. */
    private static final double WORTH_SAYING = 0.01;

    private static final int NAMED = 10;

    private final Adviser run;
    private final List<Advice> all = new ArrayList<>();

    Suggestions(Adviser run) {
        this.run = run;
    }

    List<Advice> all() {
        run.sites.forEach(this::complaints);
        run.sites.forEach(this::blocks);
        run.rules.forEach(this::binds);
        run.rules.forEach(this::dryRun);
        neverBinding();
        run.cells.forEach(this::bans);
        run.addresses.forEach(this::useless);
        noAddress();
        sessions();
        queues();
        quotas();
        robots();
        expired();
        canceled();
        unusedPools();
        dropped();
        all.sort(Comparator.comparingDouble(Advice::share).reversed().thenComparing(Advice::kind));
        return all;
    }

    private void say(String kind, String about, String says, Figures figures, double share) {
        all.add(new Advice(kind, about, says, figures.all(), share));
    }

    // ---- sites

    private void complaints(String site, SiteWatch seen) {
        if (seen.complaints() < COMPLAINTS) {
            return;
        }
        int advised = seen.advised();
        int quiet = seen.quietUpTo();
        String under = quiet > 0
                ? "minutes of up to " + quiet + " requests were quiet"
                : "it did at any rate, the slowest " + seen.slowestComplained() + " requests in a minute";
        say(
                "lower_limit",
                site,
                site + " answered 429 or 503 to " + count(seen.complaints()) + " of " + count(seen.answers())
                        + " requests (" + percent(seen.complaints(), seen.answers()) + "), in "
                        + seen.complainingMinutes() + " of " + seen.minutes() + " minutes; the fullest had "
                        + seen.fullest() + " requests, and " + under + ": limit it to " + advised
                        + " a minute, or let pace: {adaptive: true} find the rate",
                new Figures()
                        .put("complaints", seen.complaints())
                        .put("answers", seen.answers())
                        .put("complaining_minutes", seen.complainingMinutes())
                        .put("minutes", seen.minutes())
                        .put("fullest_minute", seen.fullest())
                        .put("quiet_up_to", quiet)
                        .put("limit_per_minute", advised),
                share(seen.complaints(), run.outcomes));
    }

    /** A tenth is where P5 calls an address degraded for its captchas. */
    private void blocks(String site, SiteWatch seen) {
        if (seen.answers() >= ENOUGH_ANSWERS && seen.refusals() * 10 >= seen.answers()) {
            say(
                    "blocked",
                    site,
                    site + " blocked, or asked for a captcha, in " + percent(seen.refusals(), seen.answers()) + " of "
                            + count(seen.answers()) + " answers, at up to " + seen.fullest()
                            + " requests a minute: go slower there, or from other addresses (kind, country)",
                    new Figures()
                            .put("refusals", seen.refusals())
                            .put("answers", seen.answers())
                            .put("fullest_minute", seen.fullest()),
                    share(seen.refusals(), run.outcomes));
        }
    }

    // ---- rules

    private void binds(String name, RuleWatch seen) {
        long held = seen.refused() + seen.waited();
        if (seen.refused() == 0 && seen.waited() == 0) {
            return;
        }
        double share = share(held, run.requests);
        if (share < WORTH_SAYING) {
            return;
        }
        StringBuilder says = new StringBuilder("rule " + name + " held up " + count(held) + " of " + count(run.requests)
                + " requests (" + percent(held, run.requests) + "): ");
        says.append(count(seen.refused())).append(" refused");
        if (seen.refused() > 0) {
            says.append(", most for ").append(seen.mostRefused());
        }
        if (seen.waited() > 0) {
            says.append(", ")
                    .append(count(seen.waited()))
                    .append(" waited ")
                    .append(seconds(seen.waits().meanSeconds()))
                    .append(" on average, 95 % at most ")
                    .append(seconds(seen.waits().percentileSeconds(0.95)));
        }
        Figures figures = new Figures()
                .put("refused", seen.refused())
                .put("waited", seen.waited())
                .put("requests", run.requests)
                .put("wait_mean_seconds", seen.waits().meanSeconds())
                .put("wait_p95_seconds", seen.waits().percentileSeconds(0.95));
        say("rule_binds", name, says + quiet(name, figures), figures, share);
    }

    /** What may follow from a rule that binds: more, where its sites never complained. */
    private String quiet(String name, Figures figures) {
        Set<String> sites = run.sitesOfRule.getOrDefault(name, Set.of());
        long answers = answersOf(sites);
        if (answers < ENOUGH_QUIET || troubled(sites)) {
            return "";
        }
        Rule rule = ruleOf(name);
        Rate rate = rule == null ? null : rule.rate();
        figures.put("quiet_answers", answers);
        String more = "; its sites never complained in " + count(answers)
                + " answers: it could go up, with care, a fifth at a time";
        if (rate == null) {
            return more;
        }
        long next = Math.max(rate.limit() + 1L, Math.round(rate.limit() * 1.2));
        figures.put("limit", rate.limit()).put("try_limit", next);
        return more + ", from limit: " + rate.limit() + " to limit: " + next;
    }

    private long answersOf(Set<String> sites) {
        return sites.stream()
                .mapToLong(site -> {
                    SiteWatch watch = run.sites.get(site);
                    return watch == null ? 0 : watch.answers();
                })
                .sum();
    }

    private boolean troubled(Set<String> sites) {
        return sites.stream().anyMatch(site -> {
            SiteWatch watch = run.sites.get(site);
            return watch != null && (watch.complaints() > 0 || watch.refusals() * 100 > watch.answers());
        });
    }

    private @Nullable Rule ruleOf(String name) {
        GateConfig config = run.config;
        return config == null
                ? null
                : config.rules().rules().stream()
                        .filter(rule -> rule.name().equals(name))
                        .findFirst()
                        .orElse(null);
    }

    private void neverBinding() {
        GateConfig config = run.config;
        if (config == null || run.requests == 0) {
            return;
        }
        for (Rule rule : config.rules().rules()) {
            RuleWatch seen = run.rules.get(rule.name());
            if (rule.dryRun() || (seen != null && seen.refused() + seen.waited() > 0)) {
                continue;
            }
            Set<String> sites = run.sitesOfRule.getOrDefault(rule.name(), Set.of());
            long answers = answersOf(sites);
            if (answers >= ENOUGH_QUIET && !troubled(sites)) {
                say(
                        "never_binds",
                        rule.name(),
                        "rule " + rule.name() + " never held anybody up, and its sites never complained in "
                                + count(answers)
                                + " answers: they would bear more requests than were sent, and the rule"
                                + " could go up, with care",
                        new Figures().put("answers", answers),
                        0);
            } else if (seen == null && rule.rate() != null && !rule.always()) {
                say(
                        "unused_rule",
                        rule.name(),
                        "rule " + rule.name() + " (" + rule.pattern() + ") decided no request of this run",
                        new Figures(),
                        0);
            }
        }
    }

    private void dryRun(String name, RuleWatch seen) {
        if (seen.dryRunRefusals() > 0) {
            double share = share(seen.dryRunRefusals(), run.permits);
            say(
                    "dry_run",
                    name,
                    "dry run " + name + " would have refused " + count(seen.dryRunRefusals()) + " of "
                            + count(run.permits) + " permits (" + percent(seen.dryRunRefusals(), run.permits) + ")",
                    new Figures().put("refused", seen.dryRunRefusals()).put("permits", run.permits),
                    share);
        }
    }

    // ---- pools and addresses

    /** Bans of a quarter of the addresses are no matter of single ones. */
    private void bans(Adviser.Place place, CellWatch seen) {
        if (seen.bans() < COMPLAINTS || seen.banned() * 4 < seen.addresses()) {
            return;
        }
        int enough = seen.enough();
        String fact = place.site() + " put out " + seen.banned() + " of the " + seen.addresses() + " addresses of pool "
                + place.pool() + " that asked it, " + seen.bans() + " times in all, after "
                + seen.medianBefore() + " requests in ten minutes at the median and " + seen.earliestBefore()
                + " at the earliest tenth";
        Figures figures = new Figures()
                .put("bans", seen.bans())
                .put("banned", seen.banned())
                .put("addresses", seen.addresses())
                .put("requests_before_median", seen.medianBefore())
                .put("requests_before_earliest", seen.earliestBefore())
                .put("busiest_ten_minutes", seen.busiest());
        double share = Math.max(WORTH_SAYING, share(seen.bans(), Math.max(1, run.outcomes)));
        if (seen.medianBefore() * 2 * seen.addresses() < seen.busiest()) {
            // Put out long before their turn in an even load: more of the same would go the same way.
            say(
                    "pool_too_poor",
                    place.pool(),
                    fact + ": an even share of the busiest ten minutes would have been "
                            + seen.busiest() / seen.addresses() + ", so it is not their number; take better addresses"
                            + " (kind, country), or see what the requests look like",
                    figures,
                    share);
        } else if (enough > seen.addresses()) {
            say(
                    "pool_too_small",
                    place.pool(),
                    fact + ": the busiest ten minutes had " + count(seen.busiest()) + " requests, for which " + enough
                            + " addresses would be enough, or a lower limit per address",
                    figures.put("enough", enough),
                    share);
        } else {
            say(
                    "load_uneven",
                    place.pool(),
                    fact + ": spread evenly, the busiest ten minutes (" + count(seen.busiest())
                            + " requests) would have been " + seen.busiest() / seen.addresses()
                            + " for each, which it bore: another strategy (weighted, least-leases), or a limit per"
                            + " address",
                    figures,
                    share);
        }
    }

    private void useless(String pool, Map<String, AddressWatch> addresses) {
        List<String> never = new ArrayList<>();
        List<String> poor = new ArrayList<>();
        long lost = 0;
        for (Map.Entry<String, AddressWatch> entry : addresses.entrySet()) {
            AddressWatch seen = entry.getValue();
            if (seen.tries() < ENOUGH_ANSWERS) {
                continue;
            }
            if (seen.successes() == 0) {
                never.add(entry.getKey());
                lost += seen.tries();
            } else if (seen.successes() * 5 < seen.tries()) {
                poor.add(entry.getKey());
            }
        }
        if (!never.isEmpty()) {
            say(
                    "address_never_succeeds",
                    pool,
                    never.size() + " of " + addresses.size() + " addresses of pool " + pool
                            + " never succeeded in at least " + ENOUGH_ANSWERS + " tries each and cost " + count(lost)
                            + " requests: take them out (" + named(never) + ")",
                    new Figures().put("addresses", never.size()).put("requests", lost),
                    share(lost, run.outcomes));
        }
        if (!poor.isEmpty()) {
            say(
                    "address_poor",
                    pool,
                    poor.size() + " of " + addresses.size() + " addresses of pool " + pool
                            + " succeed in less than a fifth of their requests (" + named(poor) + ")",
                    new Figures().put("addresses", poor.size()),
                    share(poor.size(), addresses.size()) / 10);
        }
    }

    private static String named(List<String> names) {
        String shown = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
        return names.size() > NAMED ? shown + " and " + (names.size() - NAMED) + " more" : shown;
    }

    private void noAddress() {
        refusal(
                "no_address",
                "no_address",
                " found no address in time: more addresses, a higher max_leases, a fallback pool, or a longer max_wait");
    }

    private void unusedPools() {
        GateConfig config = run.config;
        if (config == null || run.permits == 0) {
            return;
        }
        for (PoolConfig pool : config.pools()) {
            String name = pool.settings().name();
            if (!run.pools.contains(name)) {
                say(
                        "unused_pool",
                        name,
                        "pool " + name + " served no request of this run ("
                                + count(pool.addresses().size()) + " addresses)",
                        new Figures().put("addresses", pool.addresses().size()),
                        0);
            }
        }
    }

    // ---- callers

    private void sessions() {
        long broken = run.brokenSessions.size();
        if (broken > 0) {
            say(
                    "sessions_broken",
                    "sessions",
                    count(broken) + " of " + count(run.sessions()) + " sessions (" + percent(broken, run.sessions())
                            + ") lost their address: session: {on_address_death: migrate} moves them instead of ending"
                            + " them, and longer-lived addresses keep them",
                    new Figures().put("broken", broken).put("sessions", run.sessions()),
                    share(broken, run.sessions()));
        }
    }

    private void queues() {
        refusal(
                "queue_full",
                "queue_full",
                " came when as many waited already as may: fewer callers at once, or callers that come back later");
    }

    private void quotas() {
        refusal("quota_exceeded", "quota_exceeded", " were beyond a tenant's quota: raise it, or spread the work");
    }

    private void robots() {
        refusal(
                "robots_disallowed",
                "robots_disallowed",
                " asked for what robots.txt forbids: leave these URLs out of the queue");
    }

    private void refusal(String kind, String reason, String remedy) {
        long refused = run.refusals.getOrDefault(reason, 0L);
        if (share(refused, run.requests) >= WORTH_SAYING) {
            say(
                    kind,
                    reason,
                    count(refused) + " of " + count(run.requests) + " requests (" + percent(refused, run.requests) + ")"
                            + remedy,
                    new Figures().put("refused", refused).put("requests", run.requests),
                    share(refused, run.requests));
        }
    }

    private void expired() {
        if (share(run.expired, run.permits) >= WORTH_SAYING) {
            say(
                    "leases_expired",
                    "leases",
                    count(run.expired) + " of " + count(run.permits) + " permits (" + percent(run.expired, run.permits)
                            + ") were never released: callers that crash or forget it keep an address busy until"
                            + " lease_ttl, and nothing is learned of it",
                    new Figures().put("expired", run.expired).put("permits", run.permits),
                    share(run.expired, run.permits));
        }
    }

    /** One in ten given back is more than what retries and races leave. */
    private void canceled() {
        if (run.canceled * 10 > run.permits && run.permits >= ENOUGH_ANSWERS) {
            say(
                    "permits_unused",
                    "leases",
                    count(run.canceled) + " of " + count(run.permits) + " permits ("
                            + percent(run.canceled, run.permits) + ") were given back unused: ask when the request is"
                            + " ready to go",
                    new Figures().put("canceled", run.canceled).put("permits", run.permits),
                    share(run.canceled, run.permits));
        }
    }

    private void dropped() {
        if (run.dropped > 0) {
            say(
                    "record_incomplete",
                    "record",
                    count(run.dropped) + " lines are missing in the record, since the disk was too slow: counts are too"
                            + " low by as much",
                    new Figures().put("dropped", run.dropped),
                    0);
        }
    }
}
