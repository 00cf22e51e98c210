package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyLine;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code try line}: how one line of a proxy list is read. */
@Command(
        name = "line",
        description = "Show how one line of a proxy list is read.",
        footer = {
            "",
            "Put the line in single quotes. host:port:user:password is literal text; user:password@host:port, with or"
                    + " without a scheme, is percent-decoded."
        })
final class TryLineCommand implements Runnable {

    private static final Set<Scheme> SOCKS = EnumSet.of(Scheme.SOCKS4, Scheme.SOCKS4A, Scheme.SOCKS5, Scheme.SOCKS5H);

    @Parameters(paramLabel = "LINE", description = "The line.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private String line;

    @Option(names = "--show-secrets", description = "Show the password.")
    private boolean showSecrets;

    @Option(names = "--json", description = "One JSON object instead of lines.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        ProxyLine.parse(line)
                .match(
                        read -> print(fields(read.entries())),
                        skip -> print(new ObjectMapper().createObjectNode().put("skip", true)),
                        this::fail);
    }

    private boolean fail(ProxyLine.Bad bad) {
        if (json) {
            print(new ObjectMapper()
                    .createObjectNode()
                    .put("error", bad.fault().word())
                    .put("message", bad.message()));
        }
        throw Failure.input(bad.fault().word() + ": " + bad.message());
    }

    private ObjectNode fields(List<ProxyEntry> entries) {
        ProxyEntry first = entries.get(0);
        Endpoint endpoint = first.endpoint();
        ObjectNode fields = new ObjectMapper().createObjectNode();
        fields.put("scheme", endpoint.scheme().word());
        if (!endpoint.isDirect()) {
            fields.put("host", endpoint.host());
            if (entries.size() == 1) {
                fields.put("port", endpoint.port());
            } else {
                int last = entries.get(entries.size() - 1).endpoint().port();
                fields.putArray("ports").add(endpoint.port()).add(last);
                fields.put("count", entries.size());
            }
        }
        Credentials credentials = endpoint.credentials();
        if (credentials != null) {
            fields.put("user", credentials.user());
            fields.put("pass", showSecrets ? credentials.password() : "***");
        }
        if (SOCKS.contains(endpoint.scheme())) {
            fields.put("remote_dns", endpoint.scheme() == Scheme.SOCKS4A || endpoint.scheme() == Scheme.SOCKS5H);
        }
        if (first.label() != null) {
            fields.put("label", first.label());
        }
        if (!first.tags().isEmpty()) {
            ObjectNode tags = fields.putObject("tags");
            new TreeMap<>(first.tags()).forEach(tags::put);
        }
        return fields;
    }

    private boolean print(ObjectNode fields) {
        var out = spec.commandLine().getOut();
        if (json) {
            out.println(fields);
        } else {
            fields.properties()
                    .forEach(field -> out.println(field.getKey() + ": "
                            + (field.getValue().isTextual() ? field.getValue().textValue() : field.getValue())));
        }
        out.flush();
        return true;
    }
}
