package io.paceline.service.config;

import io.paceline.health.ControlUrl;
import io.paceline.health.HealthSettings;
import io.paceline.health.ProbeSettings;
import io.paceline.health.QuarantineSettings;
import io.paceline.pace.Rule;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.redis.RedisSettings;
import io.paceline.service.journal.JournalSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The configuration in effect as a few lines for people; tokens are masked, addresses only counted. */
final class ConfigPrinter {

    private ConfigPrinter() {}

    /** One line a thing, by its name. */
    static Map<String, String> lines(ServiceConfig config) {
        Map<String, String> lines = new LinkedHashMap<>();
        ApiConfig api = config.api();
        lines.put(
                "api",
                "api: listen " + api.listen() + ", on_refusal " + (api.refusalAs200() ? "200" : "status") + ", "
                        + tokens(api));
        ProxyConfig proxy = config.proxy();
        lines.put(
                "proxy",
                "proxy: listen " + proxy.listen() + ", allow_private_targets " + proxy.allowPrivateTargets()
                        + ", retries " + proxy.retries() + ", max_wait " + DurationText.format(proxy.maxWait())
                        + ", connect_ports " + (proxy.connectPorts().isEmpty() ? "any" : proxy.connectPorts())
                        + ", tunnel_max " + DurationText.format(proxy.tunnelMax()));
        lines.put("store", "store: " + config.store());
        RedisSettings redis = config.store().redis();
        if (redis != null) {
            lines.put(
                    "redis",
                    "redis: prefix " + redis.prefix() + ", timeout " + DurationText.format(redis.timeout())
                            + ", division " + config.store().division().word());
        }
        JournalSettings journal = config.journal();
        lines.put(
                "journal",
                journal.on()
                        ? "journal: flush " + DurationText.format(journal.flush()) + ", fsync "
                                + journal.fsync().word()
                        : "journal: off");
        lines.put("robots", "robots: agent " + config.robotsAgent());
        ReloadConfig reload = config.reload();
        lines.put(
                "reload",
                "reload: poll " + (reload.watch() ? DurationText.format(reload.poll()) : "off") + ", settle "
                        + DurationText.format(reload.settle()));
        config.pools().forEach(pool -> lines.put("pool " + pool.settings().name(), pool(pool)));
        config.urlLists()
                .forEach(list -> lines.put(
                        "list " + list.shown() + " of pool " + list.pool(),
                        "list " + list.shown() + " of pool " + list.pool() + ": refresh "
                                + DurationText.format(list.refresh()) + ", weight " + list.weight()
                                + (list.metered() ? ", metered" : "")
                                + (list.tags().isEmpty() ? "" : ", tags " + new TreeMap<>(list.tags()))));
        config.supplies()
                .forEach(supply -> lines.put(
                        "supply of pool " + supply.pool(),
                        "supply of pool " + supply.pool() + ": below " + supply.below() + ", from " + supply.shown()
                                + (supply.items() == null ? "" : ", items " + supply.items()) + ", every "
                                + DurationText.format(supply.every()) + ", budget " + supply.most() + " in "
                                + DurationText.format(supply.period())));
        config.targets().forEach(target -> lines.put("target " + target.match(), target(target)));
        for (Rule rule : config.rules()) {
            lines.put(
                    "rule " + rule.name(),
                    "rule " + rule.name() + ": pattern " + rule.pattern() + ", priority " + rule.priority() + ", per "
                            + rule.per().word() + (rule.always() ? ", always" : "")
                            + (rule.dryRun() ? ", dry run" : "") + ", on_limit "
                            + rule.onLimit().word()
                            + ", " + RuleReader.sustained(rule));
        }
        config.tenants()
                .forEach(tenant -> lines.put(
                        "tenant " + tenant.name(),
                        "tenant " + tenant.name() + ": " + TenantReader.describe(tenant)
                                + (tenant.rules().isEmpty()
                                        ? ""
                                        : "; rules of its own: "
                                                + tenant.rules().size())));
        return lines;
    }

    private static String target(TargetSettings target) {
        return "target " + target.match()
                + (target.name() == null ? "" : ": name " + target.name())
                + (target.pool() == null ? "" : ": pool " + target.pool())
                + (target.robots() == null ? "" : ": robots " + target.robots().word())
                + (target.headers() == null || target.headers().isEmpty() ? "" : ": headers " + target.headers())
                + (target.prefer() == null ? "" : ": prefer " + new TreeMap<>(target.prefer()))
                + (target.hints() == null ? "" : ": hints " + target.hints().word())
                + (target.pace() == null
                        ? ""
                        : ": pace " + target.pace().floor() + ".."
                                + target.pace().ceiling() + "/s");
    }

    private static String tokens(ApiConfig api) {
        if (api.tokens().isEmpty()) {
            return "no tokens: everyone is operator";
        }
        List<String> names = new ArrayList<>();
        api.tokens()
                .forEach(token -> names.add(token.name() + " (" + token.role().word() + ") " + token.token()));
        return "tokens " + String.join(", ", names);
    }

    private static String probe(ProbeSettings probe) {
        if (probe.urls().isEmpty()) {
            return " by live leases, no control URLs";
        }
        return " urls "
                + String.join(" ", probe.urls().stream().map(ControlUrl::nameOf).toList()) + " idle "
                + DurationText.format(probe.idleMin()) + ".." + DurationText.format(probe.idleMax()) + " rate "
                + ProbeReader.rate(probe.perSecond());
    }

    private static String pool(PoolConfig pool) {
        PoolSettings settings = pool.settings();
        HealthSettings health = settings.health();
        QuarantineSettings quarantine = settings.quarantine();
        return "pool " + settings.name() + ": " + pool.addresses().size() + " addresses, strategy "
                + settings.strategy().word() + ", max_leases " + settings.maxLeases() + ", max_leases_per_target "
                + settings.maxLeasesPerTarget() + ", lease_ttl " + DurationText.format(settings.leaseTtl())
                + ", session " + DurationText.format(settings.session().ttl()) + " "
                + settings.session().mode().name().toLowerCase(Locale.ROOT) + " on_address_death "
                + settings.session().onAddressDeath().word()
                + (settings.fallback() == null ? "" : ", fallback " + settings.fallback()) + ", health fail_of "
                + health.suspect().failures() + " of " + health.suspect().failuresOf() + ", probe rise " + health.rise()
                + probe(settings.probe())
                + ", slow_start from "
                + health.slowStartFrom() + " over " + DurationText.format(health.slowStartOver())
                + ", quarantine base " + DurationText.format(quarantine.base()) + " cell_base "
                + DurationText.format(quarantine.cellBase()) + " cap " + DurationText.format(quarantine.cap())
                + " cell_cap " + DurationText.format(quarantine.cellCap()) + " jitter " + quarantine.jitter()
                + " max_share " + quarantine.maxShare() + " min_in_service " + quarantine.minInService()
                + " dead_after " + quarantine.deadAfter() + " panic " + (quarantine.panic() ? "on" : "off");
    }
}
