package io.paceline.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A response as it stands in a file: status line, fields, and a body that is not looked at. */
record RawResponse(int status, List<Map.Entry<String, String>> fields) {
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/\\d(?:\\.\\d)? +(\\d{3})(?: .*)?");

    /** @throws Failure naming the line that is no part of a head */
    static RawResponse parse(byte[] octets, String name) {
        String[] lines = new String(octets, StandardCharsets.ISO_8859_1).split("\r\n|\n|\r", -1);
        Matcher first = STATUS_LINE.matcher(lines[0].stripTrailing());
        if (!first.matches()) {
            throw Failure.input(name + ":1:1: this is no status line: write HTTP/1.1 429 Too Many Requests");
        }
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 1) {
                throw Failure.input(name + ":" + (i + 1)
                        + ":1: this is no header field: write Name: value, and a blank line before the body");
            }
            fields.add(Map.entry(lines[i].substring(0, colon).strip(), lines[i].substring(colon + 1)));
        }
        return new RawResponse(Integer.parseInt(first.group(1)), fields);
    }
}
