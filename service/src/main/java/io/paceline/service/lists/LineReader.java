package io.paceline.service.lists;

import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of one list: peels off what surrounds a proxy (quotes, comments, labels), then tries the formats.
 *
 * <p>Remembers the header row of a CSV list, which says what its columns are; otherwise each line is read alone.
 */
final class LineReader {

    static final int MAX_LENGTH = 4_096;

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(.*)", Pattern.DOTALL);
    private static final Pattern SCHEME_FIELD = Pattern.compile("([A-Za-z][A-Za-z0-9]*):([^/].*)", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("\\s#");
    private static final Pattern LABEL = Pattern.compile("\\s\\|");
    private static final Pattern TAG = Pattern.compile("([a-z][a-z0-9_-]*)=(\\S+)");
    private static final Pattern COUNTRY = Pattern.compile("[A-Za-z]{2}");
    private static final Pattern HOST_BLANK_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[^\\s:@]+)(?:\\s+:?\\s*|:\\s+)([0-9]+(?:-[0-9]+)?)");

    private final CsvLine csv = new CsvLine();

    ProxyLine read(String line) {
        try {
            return readStripped(strip(line));
        } catch (BadLineException fault) {
            return fault.bad();
        }
    }

    private ProxyLine readStripped(String text) throws BadLineException {
        if (text.isEmpty() || text.startsWith("#") || text.startsWith("//") || text.startsWith(";")) {
            return new ProxyLine.Skip();
        }
        if (text.equals("[") || text.equals("]") || text.equals("],")) {
            return new ProxyLine.Skip();
        }
        requireSane(text);
        if (text.startsWith("{")) {
            return ProxyJson.line(text);
        }
        Matcher comment = COMMENT.matcher(text);
        String remark = "";
        String body = text;
        if (comment.find()) {
            remark = strip(text.substring(comment.end()));
            body = strip(text.substring(0, comment.start()));
        }
        Matcher label = LABEL.matcher(body);
        if (!label.find()) {
            return described(readBody(unquote(body)), "", remark);
        }
        return described(
                readBody(unquote(strip(body.substring(0, label.start())))), strip(body.substring(label.end())), remark);
    }

    private static void requireSane(String text) throws BadLineException {
        if (text.length() > MAX_LENGTH) {
            throw new BadLineException(
                    Fault.TOO_LONG, "the line has more than " + MAX_LENGTH + " characters: write one proxy a line");
        }
        if (text.indexOf('\uFFFD') >= 0) {
            throw new BadLineException(Fault.BAD_ENCODING, "the line is not UTF-8: save the file as UTF-8");
        }
        if (text.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
            throw new BadLineException(
                    Fault.CONTROL_CHARACTER, "the line holds a control character: copy it anew as plain text");
        }
    }

    private ProxyLine readBody(String body) throws BadLineException {
        String lower = body.toLowerCase(Locale.ROOT);
        if (lower.equals("direct") || lower.equals("direct://")) {
            return new ProxyLine.Entries(List.of(ProxyEntry.of(Endpoint.DIRECT)));
        }
        Matcher withScheme = SCHEME.matcher(body);
        if (withScheme.matches()) {
            return fields(Schemes.require(withScheme.group(1)), withScheme.group(2));
        }
        if (csv.looksLikeOne(body)) {
            return csv.read(body);
        }
        if (body.chars().anyMatch(Character::isWhitespace)) {
            return blanks(body);
        }
        Matcher schemeField = SCHEME_FIELD.matcher(body);
        if (schemeField.matches() && schemeField.group(2).indexOf(':') >= 0) {
            // socks5:198.51.100.8:1080, where the slashes were lost. "http" is no sensible user name or host.
            var scheme = Schemes.ofWord(schemeField.group(1));
            if (scheme.isPresent()) {
                return fields(scheme.get(), schemeField.group(2));
            }
        }
        return fields(Scheme.HTTP, body);
    }

    /** The endpoints of {@code [scheme://]} and a colon or at-sign form: the value of a field that holds a whole URL. */
    static List<Endpoint> url(String text) throws BadLineException {
        Matcher withScheme = SCHEME.matcher(text);
        return withScheme.matches()
                ? FieldForms.read(withScheme.group(2)).endpoints(Schemes.require(withScheme.group(1)))
                : FieldForms.read(text).endpoints(Scheme.HTTP);
    }

    private static ProxyLine fields(Scheme scheme, String text) throws BadLineException {
        return entries(FieldForms.read(text).endpoints(scheme));
    }

    /** {@code host port} of a table, and {@code socks5 host port [user password]} of proxychains. */
    private static ProxyLine blanks(String body) throws BadLineException {
        String[] fields = body.split("\\s+", -1);
        var scheme = Schemes.ofWord(fields[0]);
        if (scheme.isPresent() && (fields.length == 3 || fields.length == 5)) {
            HostPort where = HostPort.of(fields[1], fields[2]);
            Reading reading = fields.length == 3 ? Reading.open(where) : Reading.literal(where, fields[3], fields[4]);
            return entries(reading.endpoints(scheme.get()));
        }
        Matcher hostAndPort = HOST_BLANK_PORT.matcher(body);
        if (hostAndPort.matches()) {
            HostPort where = HostPort.of(hostAndPort.group(1), hostAndPort.group(2));
            return entries(Reading.open(where).endpoints(Scheme.HTTP));
        }
        throw new BadLineException(
                Fault.UNEXPECTED_FIELDS,
                "blanks inside the line: write host:port:user:password, a remark behind \" # \", and a blank in a"
                        + " password as %20 in http://user:password@host:port");
    }

    static ProxyLine entries(List<Endpoint> endpoints) {
        List<ProxyEntry> entries = new ArrayList<>(endpoints.size());
        for (Endpoint endpoint : endpoints) {
            entries.add(ProxyEntry.of(endpoint));
        }
        return new ProxyLine.Entries(entries);
    }

    /** Adds what stands behind a bar or a hash: {@code key=value} words are tags, a bar's free text is the label. */
    private static ProxyLine described(ProxyLine line, String label, String remark) {
        if (!(line instanceof ProxyLine.Entries read) || (label.isEmpty() && remark.isEmpty())) {
            return line;
        }
        Map<String, String> tags = new LinkedHashMap<>(tags(remark));
        Map<String, String> labelTags = tags(label);
        tags.putAll(labelTags);
        @Nullable String text = label.isEmpty() || !labelTags.isEmpty() ? null : label;
        if (text != null && COUNTRY.matcher(text).matches()) {
            tags.putIfAbsent("country", text);
        }
        List<ProxyEntry> described = new ArrayList<>(read.entries().size());
        for (ProxyEntry entry : read.entries()) {
            Map<String, String> all = new LinkedHashMap<>(entry.tags());
            all.putAll(tags);
            described.add(new ProxyEntry(entry.endpoint(), text == null ? entry.label() : text, all));
        }
        return new ProxyLine.Entries(described);
    }

    /** The tags of a remark that is made of {@code key=value} words alone; of any other remark none. */
    private static Map<String, String> tags(String remark) {
        Map<String, String> tags = new LinkedHashMap<>();
        for (String word : remark.split("\\s+", -1)) {
            Matcher tag = TAG.matcher(word);
            if (!tag.matches()) {
                return Map.of();
            }
            tags.put(tag.group(1), tag.group(2));
        }
        return tags;
    }

    /** Takes the quotes and the comma of a pasted JSON or Python list off a line that is one quoted string. */
    private static String unquote(String text) throws BadLineException {
        if (text.length() < 2) {
            return text;
        }
        char quote = text.charAt(0);
        if (quote != '"' && quote != '\'') {
            return text;
        }
        String body = text.endsWith(",") || text.endsWith(";") ? strip(text.substring(0, text.length() - 1)) : text;
        if (body.length() < 2 || body.charAt(body.length() - 1) != quote) {
            return text;
        }
        String inner = body.substring(1, body.length() - 1);
        if (quote == '"' && inner.indexOf('\\') >= 0) {
            return strip(ProxyJson.string(body));
        }
        return inner.indexOf(quote) >= 0 ? text : strip(inner);
    }

    /** Removes blanks, line ends, byte-order marks and invisible characters from both ends. */
    static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isEdge(text.charAt(from))) {
            from++;
        }
        while (to > from && isEdge(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isEdge(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.getType(c) == Character.FORMAT;
    }
}
