package io.paceline.service.advice;

import io.paceline.GateConfig;
import io.paceline.Outcome.Kind;
import io.paceline.health.Hold;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.Contest;
import io.paceline.pace.RuleMatch;
import io.paceline.pace.TargetUrl;
import io.paceline.service.record.RecordLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds a record up, line by line, for {@link Suggestions}. Bounded by the sites, rules and addresses of the run, each of
 * which has a bound of its own; confined to one thread.
 */
public final class Adviser {
    private static final int MAX_SITES = 20_000;
    private static final int MAX_CELLS = 2_000;
    private static final int MAX_SESSIONS = 1_000_000;

    /** What was configured; null where that is not known. */
    final @Nullable GateConfig config;

    final Map<String, RuleWatch> rules = new TreeMap<>();
    final Map<String, SiteWatch> sites = new TreeMap<>();
    /** By pool, then by address. */
    final Map<String, Map<String, AddressWatch>> addresses = new TreeMap<>();
    /** By pool and site. */
    final Map<Place, CellWatch> cells = new LinkedHashMap<>();

    final Map<String, Long> refusals = new TreeMap<>();
    /** Sites by the winning rate rule, where the configuration is known. */
    final Map<String, Set<String>> sitesOfRule = new TreeMap<>();

    final Set<String> pools = new HashSet<>();
    private final Map<String, String> ruleOfHost = new HashMap<>();
    private final Set<String> sessions = new HashSet<>();
    final Set<String> brokenSessions = new HashSet<>();

    long firstMicros = Long.MAX_VALUE;
    long lastMicros;
    long requests;
    long permits;
    long outcomes;
    long canceled;
    long expired;
    long dropped;

    /** One site through one pool. */
    record Place(String pool, String site) {}

    /** @param config what the run went by, or null: then nothing is said of rules and pools that never mattered */
    public Adviser(@Nullable GateConfig config) {
        this.config = config;
    }

    /** The next line, in the order of the record. */
    public void take(RecordLine line) {
        if (line instanceof RecordLine.Asked asked) {
            take(asked);
        } else if (line instanceof RecordLine.Ended ended) {
            take(ended);
        } else if (line instanceof RecordLine.Moved moved) {
            take(moved);
        } else if (line instanceof RecordLine.Expired) {
            expired++;
        } else if (line instanceof RecordLine.DryRun dryRun) {
            rule(dryRun.rule()).wouldHaveRefused();
        } else if (line instanceof RecordLine.Dropped lost) {
            dropped += lost.lines();
        }
    }

    private void take(RecordLine.Asked asked) {
        firstMicros = Math.min(firstMicros, asked.askedMicros());
        lastMicros = Math.max(lastMicros, asked.atMicros());
        if (asked.result().equals("reserved")) {
            return; // it comes back as a request of its own
        }
        requests++;
        if (asked.session() != null && sessions.size() < MAX_SESSIONS) {
            sessions.add(asked.session());
        }
        if (asked.granted()) {
            granted(asked);
        } else {
            refused(asked);
        }
    }

    private void granted(RecordLine.Asked asked) {
        String site = asked.target() == null ? asked.host() : asked.target();
        int count = asked.leases().size();
        permits += count;
        pools.add(asked.pool());
        site(site).started(asked.atMicros(), count);
        String rule = winner(asked.host());
        if (rule != null) {
            rule(rule).granted(asked.atMicros() - asked.askedMicros());
            sitesOfRule.computeIfAbsent(rule, absent -> new HashSet<>()).add(site);
        }
        CellWatch cell = cell(asked.pool(), site);
        asked.leases().forEach(lease -> cell.started(lease.address(), asked.atMicros()));
    }

    private void refused(RecordLine.Asked asked) {
        refusals.merge(asked.result(), 1L, Long::sum);
        if (asked.rule() != null) {
            rule(asked.rule()).refused(asked.host());
        }
        if (asked.result().equals("session_ended") && asked.session() != null && brokenSessions.size() < MAX_SESSIONS) {
            brokenSessions.add(asked.session());
        }
    }

    private void take(RecordLine.Ended ended) {
        outcomes++;
        lastMicros = Math.max(lastMicros, ended.atMicros());
        if (ended.outcome() == Kind.CANCELED) {
            canceled++;
            return;
        }
        boolean complained = ended.outcome() == Kind.RATE_LIMITED || ended.status() == 429;
        boolean refused = ended.outcome() == Kind.BLOCKED || ended.outcome() == Kind.CAPTCHA;
        site(ended.target()).answered(ended.atMicros(), complained, refused);
        addresses
                .computeIfAbsent(ended.pool(), absent -> new TreeMap<>())
                .computeIfAbsent(ended.address(), absent -> new AddressWatch())
                .ended(ended.outcome());
    }

    /** A site put an address out: not a person, and not for a fault of the address as a whole. */
    private void take(RecordLine.Moved moved) {
        if (moved.target() != null && moved.to().equals("quarantined") && !Hold.WORDS.contains(moved.from())) {
            cell(moved.pool(), moved.target()).putOut(moved.address(), moved.atMicros());
        }
    }

    private RuleWatch rule(String name) {
        return rules.computeIfAbsent(name, absent -> new RuleWatch());
    }

    private SiteWatch site(String name) {
        SiteWatch known = sites.get(name);
        if (known != null || sites.size() < MAX_SITES) {
            return known != null ? known : sites.computeIfAbsent(name, absent -> new SiteWatch());
        }
        return sites.computeIfAbsent("other", absent -> new SiteWatch());
    }

    private CellWatch cell(String pool, String site) {
        Place place = new Place(pool, site);
        CellWatch known = cells.get(place);
        if (known != null || cells.size() >= MAX_CELLS) {
            return known != null ? known : cells.computeIfAbsent(new Place(pool, "other"), absent -> new CellWatch());
        }
        return cells.computeIfAbsent(place, absent -> new CellWatch());
    }

    /** The rate rule that wins for a host; null where the configuration is not known. */
    private @Nullable String winner(String host) {
        if (config == null || host.isEmpty()) {
            return null;
        }
        return ruleOfHost.computeIfAbsent(host, this::findWinner);
    }

    private String findWinner(String host) {
        if (config == null) {
            return "";
        }
        try {
            TargetUrl url =
                    TargetUrl.parseLoosely("https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + "/");
            return config.rules().explain(url, config.targets().targetOf(url)).stream()
                    .filter(match -> match.contest() == Contest.RATE && match.standing() == RuleMatch.Standing.BINDS)
                    .map(match -> match.rule().name())
                    .findFirst()
                    .orElse("");
        } catch (BadTargetException e) {
            return "";
        }
    }

    long sessions() {
        return sessions.size();
    }

    /** What it all suggests; no more lines may come. */
    public Report report() {
        sites.values().forEach(SiteWatch::end);
        double seconds = lastMicros > firstMicros ? (lastMicros - firstMicros) / 1e6 : 0;
        return new Report(
                firstMicros == Long.MAX_VALUE ? 0 : firstMicros,
                seconds,
                requests,
                permits,
                outcomes,
                new Suggestions(this).all());
    }

    /**
     * What the run was, and what it suggests, the weightiest first.
     *
     * @param seconds from the first request to the last answer
     */
    public record Report(
            long firstMicros, double seconds, long requests, long permits, long outcomes, List<Advice> advice) {
        public Report {
            advice = List.copyOf(advice);
        }
    }
}
