package io.paceline.pace;

import io.paceline.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which target a URL belongs to, and what is configured for it.
 *
 * <p>Options merge: of the entries that match, the most specific one that sets an option decides that option (earlier in
 * the file where two are alike). Immutable and thread-safe; a caller that asks often keeps the answer by host, or by URL
 * where {@link #dependsOnPath} says so.
 */
public final class TargetBook {
    private static final TargetBook EMPTY = new TargetBook(List.of());

    private final PatternIndex<Entry> index;
    private final Set<String> names = new LinkedHashSet<>();

    private record Entry(TargetSettings settings, int order) {
        HostPattern match() {
            return settings.match();
        }
    }

    private static final Comparator<Entry> NARROWEST_FIRST = Comparator.comparingInt(
                    (Entry entry) -> -entry.match().specificity())
            .thenComparingInt(Entry::order);

    private TargetBook(List<TargetSettings> entries) {
        List<Entry> numbered = new ArrayList<>(entries.size());
        for (TargetSettings settings : entries) {
            numbered.add(new Entry(settings, numbered.size()));
            if (settings.name() != null) {
                names.add(settings.name());
            }
        }
        index = new PatternIndex<>(numbered, Entry::match);
    }

    public static TargetBook of(List<TargetSettings> entries) {
        return entries.isEmpty() ? EMPTY : new TargetBook(entries);
    }

    /** No entry: every registrable domain is its own target. */
    public static TargetBook empty() {
        return EMPTY;
    }

    /** The names that are configured, in file order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    /** Reads the public suffix list now, so that the first request need not wait for it (a few tenths of a second). */
    public static void warmUp() {
        Domains.registrable("www.example.com");
    }

    /** The configured name, else the registrable domain, else the host itself. */
    public Target targetOf(TargetUrl url) {
        String name = option(url, TargetSettings::name);
        return Target.of(name != null ? name : Domains.registrable(url.host()));
    }

    /** The pool configured for the URL, or null. */
    public @Nullable String poolOf(TargetUrl url) {
        return option(url, TargetSettings::pool);
    }

    /** What is configured of the URL's pace, its robots.txt and what its requests should carry. */
    public TargetPolicy policyOf(TargetUrl url) {
        RobotsMode robots = option(url, TargetSettings::robots);
        HintScope hints = option(url, TargetSettings::hints);
        LimitSpec.Pace pace = option(url, TargetSettings::pace);
        return new TargetPolicy(
                robots == null ? RobotsMode.DEFAULT : robots,
                hints == null ? HintScope.TARGET : hints,
                pace == null ? LimitSpec.Pace.NOT_ADAPTIVE : pace,
                headersOf(url));
    }

    private Map<String, String> headersOf(TargetUrl url) {
        List<Entry> narrowestFirst = new ArrayList<>(index.matching(url));
        narrowestFirst.sort(NARROWEST_FIRST);
        Map<String, String> headers = Map.of();
        for (Entry entry : narrowestFirst) {
            Map<String, String> wider = entry.settings.headers();
            headers = wider == null ? headers : SuggestedFields.merged(wider, headers);
        }
        return headers;
    }

    /** Tags of the addresses that come first for the URL; empty where nothing is preferred. */
    public Map<String, String> preferOf(TargetUrl url) {
        Map<String, String> prefer = option(url, TargetSettings::prefer);
        return prefer == null ? Map.of() : prefer;
    }

    private <T> @Nullable T option(TargetUrl url, Function<TargetSettings, @Nullable T> option) {
        return index.matching(url).stream()
                .filter(entry -> option.apply(entry.settings) != null)
                .min(NARROWEST_FIRST)
                .map(entry -> option.apply(entry.settings))
                .orElse(null);
    }

    /** Whether the answers for this canonical host also depend on scheme, port or path. */
    public boolean dependsOnPath(String host) {
        return index.dependsOnPath(host);
    }
}
