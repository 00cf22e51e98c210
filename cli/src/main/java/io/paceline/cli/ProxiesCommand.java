package io.paceline.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code proxies}: the group of the commands about lists of proxies. */
@Command(name = "proxies", description = "Test and convert lists of proxies.", synopsisSubcommandLabel = "COMMAND")
final class ProxiesCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        throw Main.missingCommand(spec);
    }
}
