package io.paceline.pace;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a rule or an option is for.
 *
 * <pre>
 *   *                            every host, address literals too
 *   example.com                  that host; an address literal is compared by value
 *   *.example.com                every host below it, however deep, not the host itself
 *   .example.com                 both
 *   regex:shop[0-9]+\.example    RE2 syntax (linear time), against the whole lower-case host
 *   https://example.com/shop/    URLs that begin so; scheme and port count only where written, and the host may
 *                                be any of the forms above but a regex: *.example.com/shop/
 * </pre>
 *
 * <p>Immutable and thread-safe. Where several match, {@link #specificity()} says which is the narrowest.
 */
public sealed interface HostPattern {

    /** Whether the URL is covered; whoever resolved the host, only its text counts. */
    boolean matches(TargetUrl url);

    /** Why a URL is not covered, for a person: half a sentence that begins with "its pattern". */
    String whyNot(TargetUrl url);

    /**
     * The greater, the narrower: URL prefix over its bare host; exact host over wildcard (more labels first,
     * {@code *.x} over {@code .x}) over regex over {@code *}, the order that nginx gives to server names.
     */
    int specificity();

    /** As it was written. */
    @Override
    String toString();

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException saying what to write instead
     */
    static HostPattern parse(String text) {
        return PatternParser.parse(text);
    }

    /** Every host. */
    record Any(String text) implements HostPattern {
        @Override
        public boolean matches(TargetUrl url) {
            return true;
        }

        @Override
        public String whyNot(TargetUrl url) {
            return "its pattern covers every host";
        }

        @Override
        public int specificity() {
            return 0;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * One host.
     *
     * @param host canonical
     */
    record Exact(String text, String host) implements HostPattern {
        @Override
        public boolean matches(TargetUrl url) {
            return url.host().equals(host);
        }

        @Override
        public String whyNot(TargetUrl url) {
            return url.host().endsWith("." + host)
                    ? "its pattern is " + host + " alone, not what is below it: ." + host + " would cover both"
                    : "its pattern is another host";
        }

        @Override
        public int specificity() {
            return 1_000 * Specificity.STEP;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * The hosts below a name, and the name itself if so wanted.
     *
     * @param suffix canonical, without a dot in front
     */
    record Under(String text, String suffix, boolean itself) implements HostPattern {
        @Override
        public boolean matches(TargetUrl url) {
            String host = url.host();
            int dot = host.length() - suffix.length() - 1;
            return dot > 0 ? host.charAt(dot) == '.' && host.endsWith(suffix) : itself && host.equals(suffix);
        }

        @Override
        public String whyNot(TargetUrl url) {
            return url.host().equals(suffix)
                    ? "its pattern covers what is below " + suffix + ", not the host itself: ." + suffix
                            + " would cover both"
                    : "its pattern covers hosts below " + suffix + " alone";
        }

        @Override
        public int specificity() {
            int labels = 1 + (int) suffix.chars().filter(c -> c == '.').count();
            return (2 + 2 * labels + (itself ? 0 : 1)) * Specificity.STEP;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Hosts that a regular expression matches as a whole.
     *
     * @param tail the domain that all of them end with, or null where that is not plain
     * @param required a text that all of them contain, or null where that is not plain
     */
    record Regex(
            String text,
            Pattern expression,
            @Nullable String tail,
            @Nullable String required) implements HostPattern {
        static Regex of(String text, String expression) {
            try {
                return new Regex(
                        text,
                        Pattern.compile(expression, Pattern.CASE_INSENSITIVE),
                        LiteralTail.of(expression),
                        RequiredText.of(expression));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException("pattern '" + text + "': " + e.getDescription() + " near '"
                        + e.getPattern() + "'; the syntax is RE2, which has no look-around and no back-references");
            }
        }

        @Override
        public boolean matches(TargetUrl url) {
            return (required == null || url.host().contains(required)) && expression.matches(url.host());
        }

        @Override
        public String whyNot(TargetUrl url) {
            return "its pattern does not match the whole of " + url.host();
        }

        @Override
        public int specificity() {
            return Specificity.STEP;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * URLs of a host that begin with a path.
     *
     * @param host which hosts
     * @param scheme null for any
     * @param port 0 for any
     * @param path what the path and query begin with
     */
    record UrlPrefix(
            String text, HostPattern host, @Nullable String scheme, int port, String path) implements HostPattern {
        public UrlPrefix {
            Objects.requireNonNull(host, "host");
            if (host instanceof Regex || host instanceof UrlPrefix) {
                throw new IllegalArgumentException("a URL prefix has a host or a wildcard in front, not " + host);
            }
        }

        @Override
        public boolean matches(TargetUrl url) {
            return (scheme == null || scheme.equals(url.scheme()))
                    && (port == 0 || port == url.port())
                    && host.matches(url)
                    && PathText.unescaped(url.pathAndQuery()).startsWith(path);
        }

        @Override
        public String whyNot(TargetUrl url) {
            if (!host.matches(url)) {
                return host.whyNot(url);
            }
            if (scheme != null && !scheme.equals(url.scheme())) {
                return "its pattern is for " + scheme + ", the URL has " + url.scheme();
            }
            return port != 0 && port != url.port()
                    ? "its pattern is for port " + port + ", the URL has " + url.port()
                    : "its pattern covers paths that begin with " + path + " alone";
        }

        @Override
        public int specificity() {
            int bound = (scheme == null ? 0 : 1) + (port == 0 ? 0 : 1);
            return host.specificity() + Math.min(Specificity.STEP - 1, 1 + bound + 3 * path.length());
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** How far apart the forms of a host are: paths of the same host fit in between. */
    final class Specificity {
        static final int STEP = 1 << 14;

        private Specificity() {}
    }
}
