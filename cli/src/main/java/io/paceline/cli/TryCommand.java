package io.paceline.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code try}: the group of the commands that show how one input is read. */
@Command(name = "try", description = "Show how one input is read.", synopsisSubcommandLabel = "COMMAND")
final class TryCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        throw Main.missingCommand(spec);
    }
}
