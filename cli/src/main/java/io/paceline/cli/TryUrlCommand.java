package io.paceline.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Target;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.Contest;
import io.paceline.pace.Hosts;
import io.paceline.pace.RuleBook;
import io.paceline.pace.RuleMatch;
import io.paceline.pace.RuleMatch.Standing;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.Fallbacks;
import io.paceline.pool.PoolSettings;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code try url}: how a URL is seen, and which rules hold for it. */
@Command(
        name = "url",
        description = "Show how a URL is seen: canonical host, target, pool, the rules that apply and which binds.",
        footer = {
            "",
            "status is what the forward proxy would do: forwarded, 400 or 403. /acquire also takes a bare host."
        })
final class TryUrlCommand implements Runnable {

    /** The ids are not shown, so any key does. */
    private static final AddressIds IDS = AddressIds.keyed(new byte[32]);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Rules for other hosts that the text shows; there may be thousands. */
    private static final int SILENT_SHOWN = 20;

    @Parameters(paramLabel = "URL", description = "The URL, or a bare host.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private String url;

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Option(names = "--tenant", paramLabel = "NAME", description = "As a request of this tenant is seen.")
    private @Nullable String tenant;

    @Option(names = "--json", description = "One JSON object instead of lines.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        ServiceConfig config = ConfigLoader.load(options.inputs(IDS)).match(loaded -> loaded, errors -> {
            throw Failure.input(errors.stream().map(ConfigError::toString).toList());
        });
        try {
            show(config, TargetUrl.parseLoosely(url));
        } catch (BadTargetException e) {
            int status = e.isForbidden() ? 403 : 400;
            if (json) {
                spec.commandLine()
                        .getOut()
                        .println(MAPPER.createObjectNode().put("status", status).put("message", e.getMessage()));
            }
            throw Failure.input(status + ": " + e.getMessage());
        }
    }

    private void show(ServiceConfig config, TargetUrl seen) {
        Target target = config.targetBook().targetOf(seen);
        TenantSettings asked = tenant(config);
        RuleBook book = asked == null ? config.ruleBook() : asked.ruleBook(config.ruleBook());
        String pool = poolOf(config, asked, seen);
        List<RuleMatch> matches = book.explain(seen, target);
        ObjectNode fields = MAPPER.createObjectNode();
        status(fields, config, seen);
        fields.put("scheme", seen.scheme())
                .put("rule_host", seen.host())
                .put("connect_host", seen.host())
                .put("port", seen.port())
                .put("bucket", target.name())
                .put("pool", pool)
                .put("rule", binding(matches, Contest.RATE))
                .put("concurrency_rule", binding(matches, Contest.CONCURRENCY));
        ArrayNode fallback = fields.putArray("fallback");
        fallbacks(config, pool).stream()
                .filter(name -> asked == null || asked.pools().contains(name))
                .forEach(fallback::add);
        ObjectNode prefer = fields.putObject("prefer");
        new TreeMap<>(config.targetBook().preferOf(seen)).forEach(prefer::put);
        ObjectNode headers = fields.putObject("headers");
        book.plan(seen, target)
                .suggesting(config.targetBook().policyOf(seen).headers())
                .forEach(headers::put);
        ArrayNode rules = fields.putArray("rules");
        matches.forEach(match -> rules.add(rule(match)));
        book.silent(seen).forEach(match -> rules.add(rule(match)));
        print(fields, spec.commandLine().getOut());
    }

    private @Nullable TenantSettings tenant(ServiceConfig config) {
        if (tenant == null) {
            return null;
        }
        TenantSettings found = config.tenantBook().find(tenant);
        if (found == null) {
            String there = config.tenants().stream()
                    .map(TenantSettings::name)
                    .reduce((one, other) -> one + ", " + other)
                    .orElse("none");
            throw Failure.input("no tenant is called \"" + tenant + "\": there is " + there);
        }
        return found;
    }

    private static String poolOf(ServiceConfig config, @Nullable TenantSettings tenant, TargetUrl seen) {
        String named = config.targetBook().poolOf(seen);
        if (tenant != null) {
            return named != null && tenant.pools().contains(named)
                    ? named
                    : tenant.pools().get(0);
        }
        return named == null ? config.pools().get(0).settings().name() : named;
    }

    /** The pools that serve when this one cannot, in order. */
    private static List<String> fallbacks(ServiceConfig config, String pool) {
        Map<String, PoolSettings> pools = new LinkedHashMap<>();
        config.pools().forEach(each -> pools.put(each.settings().name(), each.settings()));
        PoolSettings settings = pools.get(pool);
        return settings == null ? List.of() : Fallbacks.of(settings, pools);
    }

    /** What the forward proxy would answer, which wants a whole URL and a public host. */
    private void status(ObjectNode fields, ServiceConfig config, TargetUrl seen) {
        if (Hosts.isPrivate(seen.host()) && !config.proxy().allowPrivateTargets()) {
            fields.put("status", 403)
                    .put(
                            "message",
                            "the host is private, local or reserved: --allow-private-targets would let it pass");
            return;
        }
        try {
            TargetUrl.parse(url);
            fields.put("status", "forwarded");
        } catch (BadTargetException e) {
            fields.put("status", 400).put("message", e.getMessage());
        }
    }

    private static @Nullable String binding(List<RuleMatch> matches, Contest contest) {
        return matches.stream()
                .filter(match -> match.contest() == contest && match.standing() == Standing.BINDS)
                .map(match -> match.rule().name())
                .findFirst()
                .orElse(null);
    }

    private static ObjectNode rule(RuleMatch match) {
        ObjectNode rule = MAPPER.createObjectNode()
                .put("rule", match.rule().name())
                .put("pattern", match.rule().pattern().toString())
                .put("contest", match.contest().word())
                .put("per", match.rule().per().word())
                .put("standing", match.standing().word())
                .put("why", match.why());
        if (match.contest() == Contest.RATE) {
            rule.put("gives", ConfigLoader.sustained(match.rule()));
        } else if (match.rule().concurrency() != null) {
            rule.put("gives", match.rule().concurrency() + " at once");
        }
        return rule;
    }

    private static String text(JsonNode value) {
        if (!value.isContainerNode()) {
            return value.asText("none");
        }
        List<String> parts = new ArrayList<>();
        value.properties()
                .forEach(part -> parts.add(part.getKey() + " " + part.getValue().asText()));
        if (value.isArray()) {
            value.forEach(part -> parts.add(part.asText()));
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private void print(ObjectNode fields, PrintWriter out) {
        if (json) {
            out.println(fields);
            return;
        }
        fields.properties().forEach(field -> {
            if (!field.getKey().equals("rules")) {
                out.println(field.getKey() + ": " + text(field.getValue()));
            }
        });
        int silent = 0;
        for (JsonNode rule : fields.path("rules")) {
            silent += rule.path("standing").asText().equals(Standing.SILENT.word()) ? 1 : 0;
            if (silent <= SILENT_SHOWN) {
                out.println("  " + line(rule));
            }
        }
        if (silent > SILENT_SHOWN) {
            out.println(
                    "  and " + (silent - SILENT_SHOWN) + " more whose patterns do not cover the URL (--json has all)");
        }
    }

    private static String line(JsonNode rule) {
        return rule.path("standing").asText() + " "
                + rule.path("rule").asText() + " ("
                + rule.path("pattern").asText() + ", "
                + rule.path("contest").asText() + ", per "
                + rule.path("per").asText() + "): "
                + rule.path("gives").asText() + "; "
                + rule.path("why").asText();
    }
}
