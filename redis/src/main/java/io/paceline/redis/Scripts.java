package io.paceline.redis;

import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import io.paceline.pace.HintClock;
import io.paceline.pace.LimitSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The scripts of the store, put together from their parts: a line that tells the time, the numbers that Java and Lua share,
 * the common parts that a script needs, and the script itself.
 */
final class Scripts {
    /**
     * The time of a step is the server's: callers' clocks differ. It is part of the text, so that nothing that a caller sends
     * can be taken for a time.
     */
    static final String SERVER_TIME = "local now = redis.call('TIME'); now = now[1] * 1000000 + now[2]\n";

    private static final String DECLARED = "--# ";
    private static final Pattern FUNCTION = Pattern.compile("(?m)^local function (\\w+)\\(");
    /** Comments and texts are taken whole, so that no word inside them is; nor are fields, nor keys of tables. */
    private static final Pattern TOKEN = Pattern.compile("--[^\\n]*|'[^'\\n]*'|(?<![\\w.:])[A-Za-z_]\\w*(?! = )\\b");

    private static final List<String> ALWAYS = List.of("base", "limits", "leases");

    private final Assembly assembly;
    final Script admit;
    final Script settle;
    final Script renew;
    final Script observe;
    final Script probe;
    final Script shift;
    final Script pace;
    final Script convict;
    final Script changes;
    final Script table;
    final Script due;
    final Script enrol;
    final Script giveBack;
    final Script session;
    final Script look;
    final Script beat;

    /** @param time sets {@code now}, in microseconds */
    Scripts(String time) {
        assembly = new Assembly(time);
        admit = assembly.after(List.of("usual_admit"), "admit");
        settle = assembly.after(List.of("measures", "usual_settle"), "settle", "evidence", "tallies");
        renew = assembly.script("renew");
        observe = assembly.script("observe", "measures", "evidence");
        probe = assembly.script("probe");
        shift = assembly.script("shift", "measures", "evidence", "census");
        pace = assembly.script("pace");
        convict = assembly.script("convict", "measures", "evidence", "tallies");
        changes = assembly.script("changes");
        table = assembly.script("table");
        due = assembly.script("due", "census");
        enrol = assembly.script("enrol", "census");
        giveBack = assembly.script("giveback");
        session = assembly.script("session");
        look = assembly.script("look", "measures", "evidence", "tallies");
        beat = assembly.script("beat");
    }

    /** Another script on the common parts: for tests of these. */
    Script with(String name, String body) {
        return assembly.assembled(name, body);
    }

    private record Assembly(String time) {

        Script script(String name, String... parts) {
            return after(List.of(), name, parts);
        }

        /** Before all common parts come those that deal with what is usual. */
        Script after(List<String> first, String name, String... parts) {
            return assembled(name, sources(first), sources(List.of(parts)) + source(name));
        }

        Script assembled(String name, String body) {
            return assembled(name, "", body);
        }

        private Script assembled(String name, String first, String body) {
            return Script.of(name, time + inlined(source("names") + first + sources(ALWAYS) + body));
        }

        private static String sources(List<String> parts) {
            return parts.stream().map(Assembly::source).collect(Collectors.joining());
        }

        /**
         * Lua allows 200 local names, and a function is made anew at each run, which takes the longer the more names are
         * known before it. So constants are put in where they are used, and functions become fields of one table.
         */
        private static String inlined(String body) {
            Map<String, String> words = constants(body);
            String lines = FUNCTION.matcher(body).replaceAll(found -> {
                words.put(found.group(1), "L." + found.group(1));
                return "function " + found.group(1) + "(";
            });
            return "local L = {}\n"
                    + TOKEN.matcher(lines)
                            .replaceAll(found ->
                                    Matcher.quoteReplacement(words.getOrDefault(found.group(), found.group())));
        }

        /** Those shared with Java, and those that a part declares: {@code --# A, B = 1, 2}. */
        private static Map<String, String> constants(String body) {
            Map<String, String> constants = numbers();
            body.lines().filter(line -> line.startsWith(DECLARED)).forEach(line -> {
                String[] sides = line.substring(DECLARED.length()).split(" = ", 2);
                String[] names = sides[0].split(", ");
                String[] values = sides[1].split(", ");
                for (int i = 0; i < names.length; i++) {
                    constants.put(names[i], "(" + values[i] + ")");
                }
            });
            return constants;
        }

        private static String source(String part) {
            try (InputStream in = Scripts.class.getResourceAsStream(part + ".lua")) {
                String text = new String(Objects.requireNonNull(in, part).readAllBytes(), StandardCharsets.UTF_8);
                return text.endsWith("\n") ? text : text + "\n";
            } catch (IOException e) {
                throw new UncheckedIOException("the script " + part + ".lua cannot be read", e);
            }
        }
    }

    /** Numbers that must be the same on both sides. */
    private static Map<String, String> numbers() {
        Standing fresh = Standing.fresh(0, 0);
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("FRESH_FLAGS", Integer.toString(Standings.facts(fresh)));
        numbers.put("FRESH_CELL", quoted(Standings.pack(fresh)));
        numbers.put("STATE_AT", Integer.toString(Standings.STATE_AT));
        numbers.put("SINCE_AT", Integer.toString(Standings.SINCE_AT));
        numbers.put("WINDOW_SIZE", Integer.toString(SubjectRow.WINDOW));
        numbers.put("MOST_SUCCESSES", Integer.toString(Trail.MOST_SUCCESSES));
        numbers.put("SUCCESSES_A_FAULT", Integer.toString(Trail.SUCCESSES_A_FAULT));
        numbers.put("ENTRIES", Integer.toString(TallyRow.ENTRIES));
        numbers.put("POOL_ENTRIES", Integer.toString(TallyRow.POOL_ENTRIES));
        numbers.put("STEPS", Integer.toString(TallyRow.STEPS));
        numbers.put("STEP", Long.toString(TallyRow.STEP_MICROS));
        numbers.put("MOST_PER_STEP", Integer.toString(TallyRow.MOST_PER_STEP));
        numbers.put("GUESSED_PACE", Long.toString(HintClock.intervalMicros(LimitSpec.Pace.NOT_ADAPTIVE)));
        numbers.put("GUESSED_LEASE", Long.toString(HintClock.intervalMicros(new LimitSpec.Concurrency(1))));
        // What the embedded store and the pace keep to themselves; the differential test holds them equal.
        numbers.put("MAX_HINTS_AHEAD", "1024");
        numbers.put("TICKET_GRACE", "5000000");
        numbers.put("REPEAT", "2000000");
        numbers.put("INSTANT", "300000");
        numbers.put("FADE", "1000000");
        numbers.put("KEPT_OUTCOMES", "100");
        numbers.put("HALF_LIFE", "900000000");
        numbers.put("PACE_KEPT", "0.75");
        numbers.put("PACE_STEEPNESS_BEYOND", "3");
        numbers.put("PACE_CYCLE_SECONDS", "300");
        numbers.put("PACE_DOUBLING_SECONDS", "30");
        numbers.put("FEED", "4096");
        numbers.put("KEPT_MILLIS", Long.toString(2 * 86_400_000L));
        return numbers;
    }

    private static String quoted(byte[] octets) {
        StringBuilder text = new StringBuilder("'");
        for (byte octet : octets) {
            text.append('\\').append(String.format("%03d", octet & 0xff));
        }
        return text.append('\'').toString();
    }
}
