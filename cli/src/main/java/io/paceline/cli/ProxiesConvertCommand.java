package io.paceline.cli;

import io.paceline.service.lists.ProxyFormat;
import io.paceline.service.lists.ProxyList;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code proxies convert}: the proxies of a list, each once, in one format. */
@Command(
        name = "convert",
        description = "Write the proxies of a list, each once, in one format to the standard output.",
        footer = {"", "The output holds the passwords: send it to a file that only you can read."})
final class ProxiesConvertCommand implements Runnable {

    @Parameters(paramLabel = "FILE", description = "The list, in any format.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private Path file;

    @Option(
            names = "--format",
            paramLabel = "url|colon|json",
            description = "url: scheme://user:password@host:port; colon: host:port:user:password;"
                    + " json: an object a line. Default: url.",
            converter = Format.class)
    private ProxyFormat format = ProxyFormat.URL;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    /** The words of {@code --format}. */
    static final class Format implements ITypeConverter<ProxyFormat> {
        @Override
        public ProxyFormat convert(String word) {
            return switch (word) {
                case "url" -> ProxyFormat.URL;
                case "colon" -> ProxyFormat.COLON;
                case "json" -> ProxyFormat.JSON;
                default -> throw new TypeConversionException("write url, colon or json, not " + word);
            };
        }
    }

    @Override
    public void run() {
        ProxyList list = ListFile.read(file);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        list.bad().forEach(bad -> err.println(ListFile.shown(file, bad)));
        list.entries().forEach(entry -> out.println(format.write(entry)));
        out.flush();
        String account = Words.count(list.entries().size(), "address") + ", "
                + Words.count(list.duplicates(), "duplicate") + ", " + Words.count(list.badLines(), "bad line");
        if (list.entries().isEmpty()) {
            throw Failure.input(file + ": " + account + ": write one proxy a line, host:port");
        }
        err.println(account);
    }
}
