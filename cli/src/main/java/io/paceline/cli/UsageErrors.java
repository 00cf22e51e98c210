package io.paceline.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with the command line, in one line first, and what may have been meant. */
final class UsageErrors implements IParameterExceptionHandler {

    private static final int MAX_SUGGESTIONS = 3;

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + firstLine(wrong) + suggestion(wrong));
        err.println("see " + command.getCommandSpec().qualifiedName() + " --help");
        return Failure.USAGE;
    }

    private static String firstLine(ParameterException wrong) {
        return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
    }

    private static String suggestion(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        List<String> meant = unmatched.getSuggestions();
        if (meant.isEmpty()) {
            return "";
        }
        return "; did you mean " + String.join(" or ", meant.subList(0, Math.min(MAX_SUGGESTIONS, meant.size()))) + "?";
    }
}
