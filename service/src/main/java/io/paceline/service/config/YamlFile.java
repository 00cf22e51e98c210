package io.paceline.service.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** The text of a YAML file as a tree of nodes that know where they stand; what YAML cannot read is said in our words. */
final class YamlFile {

    private static final int MAX_CHARACTERS = 64 * 1024 * 1024;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private YamlFile() {}

    /** The root of the file; empty after an error was reported. */
    static Optional<Node> read(Source source, byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            source.problems().error(source.file(), 1, 1, "the file is not UTF-8: save it as UTF-8");
            return Optional.empty();
        }
        String body = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        try {
            Optional<Node> root = new Compose(settings(source.file())).composeString(body);
            if (root.isEmpty()) {
                source.problems()
                        .error(source.file(), 1, 1, "the file is empty: write pools: or rules:, or leave the file out");
            }
            return root;
        } catch (MarkedYamlEngineException broken) {
            report(source, body, broken);
        } catch (YamlEngineException broken) {
            source.problems()
                    .error(
                            source.file(),
                            1,
                            1,
                            "the file is no YAML: " + firstLine(String.valueOf(broken.getMessage())));
        } catch (StackOverflowError tooDeep) { // the library reads by recursion and knows no bound
            source.problems()
                    .error(
                            source.file(),
                            1,
                            1,
                            "the file nests lists or mappings too deep: a configuration needs no more than six levels");
        }
        return Optional.empty();
    }

    private static LoadSettings settings(String label) {
        return LoadSettings.builder()
                .setLabel(label)
                .setCodePointLimit(MAX_CHARACTERS)
                .build();
    }

    private static void report(Source source, String text, MarkedYamlEngineException broken) {
        Optional<Mark> mark = broken.getProblemMark().or(broken::getContextMark);
        Optional<Mark> star = starAt(text, broken.getContextMark()).or(() -> starAt(text, broken.getProblemMark()));
        if (star.isPresent()) {
            source.problems()
                    .error(
                            source.file(),
                            star,
                            "line " + (star.get().getLine() + 1)
                                    + " has a bare *, which YAML takes for an alias: put the pattern in quotes, \""
                                    + word(text, star.get()) + "\"");
            return;
        }
        source.problems().error(source.file(), mark, inOurWords(broken, text, mark));
    }

    private static String inOurWords(MarkedYamlEngineException broken, String text, Optional<Mark> mark) {
        String problem = firstLine(String.valueOf(broken.getProblem()));
        char at = mark.map(m -> charAt(text, m)).orElse(' ');
        if (at == '\t' || problem.contains("TAB")) {
            return "a tab indents this line: YAML wants blanks, replace it by two of them";
        }
        if (at == '@' || at == '`' || at == '%') {
            return "a value cannot begin with " + at + ": put it in quotes";
        }
        if (problem.contains("mapping values are not allowed")) {
            return "a colon too many, or a line indented too far: put a value with \": \" in it in quotes";
        }
        if (problem.contains("expected <block end>")) {
            return "this line is indented differently from its neighbours: align it with the keys beside it";
        }
        if (problem.contains("undefined alias")) {
            return "YAML takes * in front of a word for an alias: put the value in quotes";
        }
        return "the YAML breaks here (" + problem + "): check quotes, brackets and indentation";
    }

    private static Optional<Mark> starAt(String text, Optional<Mark> mark) {
        return mark.filter(m -> charAt(text, m) == '*');
    }

    private static char charAt(String text, Mark mark) {
        int index = index(text, mark);
        return index < text.length() ? text.charAt(index) : ' ';
    }

    /** The word that begins at the mark. */
    private static String word(String text, Mark mark) {
        int from = index(text, mark);
        int to = from;
        while (to < text.length()
                && ",]}#\"".indexOf(text.charAt(to)) < 0
                && !Character.isWhitespace(text.charAt(to))) {
            to++;
        }
        return text.substring(from, to);
    }

    /** Marks count code points; lines and columns lead to the character. */
    private static int index(String text, Mark mark) {
        return Math.min(
                text.length(),
                text.offsetByCodePoints(0, Math.min(mark.getIndex(), text.codePointCount(0, text.length()))));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
