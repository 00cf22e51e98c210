package io.paceline.cli;

import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what ends a command into lines for people and an exit code. */
final class ExecutionErrors implements IExecutionExceptionHandler {

    private final BooleanSupplier debug;

    ExecutionErrors(BooleanSupplier debug) {
        this.debug = debug;
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult parsed) {
        if (problem instanceof ParameterException wrong) {
            return new UsageErrors().handleParseException(wrong, new String[0]);
        }
        PrintWriter err = command.getErr();
        boolean expected = problem instanceof Failure;
        err.println(
                expected
                        ? problem.getMessage()
                        : "unexpected error: " + problem + (debug.getAsBoolean() ? "" : " (--debug shows where)"));
        if (debug.getAsBoolean()) {
            problem.printStackTrace(err);
        }
        return problem instanceof Failure failure ? failure.exitCode() : Failure.SURROUNDINGS;
    }
}
