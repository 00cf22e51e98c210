package io.paceline.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The start of every command: {@code paceline COMMAND}.
 *
 * <p>Exit codes: 0 done, 1 the input is wrong, 2 usage, 3 the surroundings fail.
 */
@Command(
        name = "paceline",
        description = "A gatekeeper for fleets of crawlers: when a request may go, and from which address.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the input is wrong", "2:the command line is wrong", "3:the surroundings fail"},
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false)
public final class Main implements Runnable {

    @Option(names = "--debug", description = "Show the stack trace of an error.", scope = ScopeType.INHERIT)
    private boolean debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any command runs
    private CommandSpec spec;

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args));
    }

    /** Runs one command in this process; what it prints goes to the writers. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main();
        CommandLine commands = main.commands().setOut(out).setErr(err);
        commands.setParameterExceptionHandler(new UsageErrors());
        commands.setExecutionExceptionHandler(new ExecutionErrors(() -> main.debug));
        int code = commands.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** The one place where commands are listed. */
    private CommandLine commands() {
        CommandLine root = new CommandLine(this);
        root.addSubcommand(new ServeCommand());
        root.addSubcommand(new StatusCommand());
        root.addSubcommand(new ExplainCommand());
        root.addSubcommand(new CheckCommand());
        root.addSubcommand(new PlanCommand());
        root.addSubcommand(new ShardsCommand());
        root.addSubcommand(new SimulateCommand());
        root.addSubcommand(new ReplayCommand());
        root.addSubcommand(new AdviseCommand());
        group(root, new ProxiesCommand(), new ProxiesTestCommand(), new ProxiesConvertCommand());
        group(
                root,
                new TryCommand(),
                new TryUrlCommand(),
                new TryLineCommand(),
                new TryRobotsCommand(),
                new TryResponseCommand());
        root.addSubcommand(new DemoCommand());
        root.addSubcommand(new ChaosCommand());
        return root;
    }

    private static void group(CommandLine root, Object group, Object... commands) {
        CommandLine line = new CommandLine(group);
        root.addSubcommand(line);
        for (Object command : commands) {
            line.addSubcommand(command);
        }
    }

    @Override
    public void run() {
        throw missingCommand(spec);
    }

    static ParameterException missingCommand(CommandSpec spec) {
        return new ParameterException(
                spec.commandLine(),
                "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
    }
}
