package io.paceline.cli;

import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ListReport;
import io.paceline.service.config.ServiceConfig;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code check}: loads and validates everything, opens nothing. */
@Command(
        name = "check",
        description = "Load and validate a configuration and its lists; open nothing.",
        footer = {
            "",
            "Errors have the form file:line:column: what is wrong, what to write instead. All of them are shown."
        })
final class CheckCommand implements Runnable {

    /** The ids are not shown, so any key does. */
    private static final AddressIds IDS = AddressIds.keyed(new byte[32]);

    @Mixin
    private final ConfigOptions options = new ConfigOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        ServiceConfig config = ConfigLoader.load(options.inputs(IDS)).match(loaded -> loaded, errors -> {
            throw Failure.input(errors.stream().map(ConfigError::toString).toList());
        });
        print(config, spec.commandLine().getOut());
    }

    private void print(ServiceConfig config, PrintWriter out) {
        out.println("valid: " + options.described());
        out.println("api " + config.api().listen()
                + (config.api().tokens().isEmpty()
                        ? ", no tokens"
                        : ", " + Words.count(config.api().tokens().size(), "token"))
                + "; proxy " + config.proxy().listen() + "; store "
                + config.store().described());
        config.pools().forEach(pool -> printPool(pool, config, out));
        out.println(config.rules().isEmpty() ? "no rules: the default pace for every target" : "rules");
        if (config.rules().isEmpty()) {
            printRule(RuleBook.DEFAULT_PACE, out);
        }
        config.rules().forEach(rule -> printRule(rule, out));
        for (TenantSettings tenant : config.tenants()) {
            out.println("tenant " + tenant.name() + ": " + ConfigLoader.described(tenant));
            tenant.namedRules().forEach(rule -> printRule(rule, out));
        }
        config.warnings().forEach(warning -> out.println("warning: " + warning));
    }

    private static void printPool(PoolConfig pool, ServiceConfig config, PrintWriter out) {
        out.println("pool " + pool.settings().name() + ": "
                + Words.count(pool.addresses().size(), "address") + ", "
                + pool.settings().strategy().word());
        for (ListReport list : config.lists()) {
            if (list.pool().equals(pool.settings().name())) {
                out.println("  " + list.source() + ": " + Words.count(list.addresses(), "address") + ", "
                        + Words.count(list.duplicates(), "duplicate") + ", "
                        + Words.count(list.badLines(), "bad line"));
            }
        }
        printLater(pool.settings().name(), config, out);
    }

    /** What is fetched or asked only while the service runs. */
    private static void printLater(String pool, ServiceConfig config, PrintWriter out) {
        config.urlLists().stream()
                .filter(list -> list.pool().equals(pool))
                .forEach(list -> out.println("  " + list.shown() + ": not fetched by check"));
        config.supplies().stream()
                .filter(supply -> supply.pool().equals(pool))
                .forEach(supply -> out.println("  supply from " + supply.shown() + " below " + supply.below()
                        + " in service: not asked by check"));
    }

    private static void printRule(Rule rule, PrintWriter out) {
        String pattern = rule.name().equals(rule.pattern().toString()) ? "" : " (" + rule.pattern() + ")";
        out.println("  " + rule.name() + pattern + ", per " + rule.per().word() + (rule.always() ? ", always" : "")
                + (rule.dryRun() ? ", dry run" : "") + ": " + ConfigLoader.sustained(rule));
    }
}
