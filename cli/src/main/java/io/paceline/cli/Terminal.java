package io.paceline.cli;

import java.io.Console;

/** Whether a person looks on. */
final class Terminal {
    private Terminal() {}

    /**
     * True where input and output are a terminal that can move its cursor. From Java 22 on there is a console even where
     * there is no terminal, and only it can tell; Java 17 does not know that question.
     */
    @SuppressWarnings("SystemConsoleNull") // the null of Java 17 is one of the answers
    static boolean attached() {
        Console console = System.console();
        String kind = System.getenv("TERM");
        if (console == null || kind == null || kind.equals("dumb")) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
