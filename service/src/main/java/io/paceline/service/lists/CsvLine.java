package io.paceline.service.lists;

import io.paceline.Endpoint.Scheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a CSV export, by comma or semicolon: {@code host,port[,user,password]} in that order, a scheme in any place,
 * or the order that a header row names.
 */
final class CsvLine {

    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}(?:-[0-9]{1,5})?");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z _-]*");

    /** What the columns are called, from the header row; null before one was seen. */
    private @Nullable List<String> header;

    /** True for a header row, and for a row whose first or second field behind a host is a port. */
    boolean looksLikeOne(String body) {
        List<String> fields = split(body);
        if (fields.size() < 2) {
            return false;
        }
        return (header != null && fields.size() == header.size())
                || isHeader(fields)
                || isPort(fields.get(1))
                || (fields.size() > 2 && Schemes.ofWord(fields.get(0)).isPresent() && isPort(fields.get(2)))
                || isPortOnlyInFirst(fields);
    }

    ProxyLine read(String body) throws BadLineException {
        List<String> fields = split(body);
        if (isHeader(fields)) {
            header = fields.stream().map(ProxyFields::canonicalName).toList();
            return new ProxyLine.Skip();
        }
        if (header != null && fields.size() == header.size()) {
            return new ProxyLine.Entries(byHeader(header, fields).entries());
        }
        return new ProxyLine.Entries(byPosition(fields).entries());
    }

    private static ProxyFields byHeader(List<String> names, List<String> fields) {
        Map<String, String> named = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            named.put(names.get(i), fields.get(i));
        }
        return new ProxyFields(named);
    }

    private static ProxyFields byPosition(List<String> fields) throws BadLineException {
        List<String> rest = new ArrayList<>(fields);
        Map<String, String> named = new LinkedHashMap<>();
        takeScheme(rest).ifPresent(scheme -> named.put(ProxyFields.SCHEME, scheme.word()));
        named.put(ProxyFields.HOST, rest.remove(0));
        if (!rest.isEmpty() && isPort(rest.get(0))) {
            named.put(ProxyFields.PORT, rest.remove(0));
        }
        while (!rest.isEmpty() && rest.get(rest.size() - 1).isEmpty()) {
            rest.remove(rest.size() - 1);
        }
        if (rest.size() == 1 && rest.get(0).length() == 2) {
            named.put("country", rest.get(0));
        } else if (rest.size() == 2) {
            named.put(ProxyFields.USER, rest.get(0));
            named.put(ProxyFields.PASSWORD, rest.get(1));
        } else if (!rest.isEmpty()) {
            throw new BadLineException(
                    Fault.UNEXPECTED_FIELDS,
                    "columns that cannot be told apart: write host,port,user,password or put a header row first");
        }
        return new ProxyFields(named);
    }

    /** Takes the name of a scheme from the places where exports put it: first, behind the port, or last. */
    private static Optional<Scheme> takeScheme(List<String> fields) {
        for (int at : new int[] {0, 2, fields.size() - 1}) {
            Optional<Scheme> scheme = at < fields.size() ? Schemes.ofWord(fields.get(at)) : Optional.empty();
            if (scheme.isPresent()) {
                fields.remove(at);
                return scheme;
            }
        }
        return Optional.empty();
    }

    private static boolean isHeader(List<String> fields) {
        boolean host = false;
        for (String field : fields) {
            if (!field.isEmpty() && !WORD.matcher(field).matches()) {
                return false;
            }
            host |= ProxyFields.HOST.equals(ProxyFields.canonicalName(field));
        }
        return host;
    }

    private static boolean isPort(String field) {
        return PORT.matcher(field).matches();
    }

    /** {@code 198.51.100.7:8080,} with nothing behind the comma. */
    private static boolean isPortOnlyInFirst(List<String> fields) {
        return fields.subList(1, fields.size()).stream().allMatch(String::isEmpty)
                && HostPort.tryParse(fields.get(0)).isPresent();
    }

    /** Fields between commas, or between semicolons where there is no comma; quotes as in RFC 4180. */
    private static List<String> split(String body) {
        char separator = body.indexOf(',') >= 0 ? ',' : ';';
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '"' && quoted && i + 1 < body.length() && body.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"' && (quoted || LineReader.strip(field.toString()).isEmpty())) {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                fields.add(LineReader.strip(field.toString()));
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(LineReader.strip(field.toString()));
        return fields;
    }
}
