package io.paceline.pace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries whose pattern covers a URL, by one look-up for each parent domain of its host: ten thousand patterns
 * cost as much as ten. Only patterns for every host, and regexes that may match hosts of any domain, are tried one by one.
 *
 * <p>Immutable and thread-safe.
 */
final class PatternIndex<T> {
    private final Function<T, HostPattern> pattern;

    /** By the host named, for patterns of that host alone. */
    private final Map<String, List<T>> exact = new HashMap<>();

    /** By the suffix named, for patterns of what is under it, and regexes that end with it. */
    private final Map<String, List<T>> under = new HashMap<>();

    /** Patterns that name no domain. */
    private final List<T> everywhere = new ArrayList<>();

    private final boolean prefixEverywhere;
    private final Set<String> prefixExact = new HashSet<>();
    private final Set<String> prefixUnder = new HashSet<>();

    PatternIndex(List<T> entries, Function<T, HostPattern> pattern) {
        this.pattern = pattern;
        boolean anyPrefix = false;
        for (T entry : entries) {
            HostPattern written = pattern.apply(entry);
            boolean prefix = written instanceof HostPattern.UrlPrefix;
            HostPattern host = hostPart(written);
            if (host instanceof HostPattern.Exact one) {
                exact.computeIfAbsent(one.host(), key -> new ArrayList<>(1)).add(entry);
                if (prefix) {
                    prefixExact.add(one.host());
                }
            } else if (host instanceof HostPattern.Under many) {
                under.computeIfAbsent(many.suffix(), key -> new ArrayList<>(1)).add(entry);
                if (prefix) {
                    prefixUnder.add(many.suffix());
                }
            } else if (host instanceof HostPattern.Regex regex && regex.tail() != null) {
                under.computeIfAbsent(regex.tail(), key -> new ArrayList<>()).add(entry);
            } else {
                everywhere.add(entry);
                anyPrefix |= prefix;
            }
        }
        prefixEverywhere = anyPrefix;
    }

    static HostPattern hostPart(HostPattern pattern) {
        return pattern instanceof HostPattern.UrlPrefix prefix ? prefix.host() : pattern;
    }

    /** The entries that cover the URL, in no order that means anything. */
    List<T> matching(TargetUrl url) {
        List<T> found = new ArrayList<>(4);
        String host = url.host();
        addMatching(exact.get(host), url, found);
        for (String name = host; ; ) {
            addMatching(under.get(name), url, found);
            int dot = name.indexOf('.');
            if (dot < 0) {
                break;
            }
            name = name.substring(dot + 1);
        }
        addMatching(everywhere, url, found);
        return found;
    }

    private void addMatching(@Nullable List<T> entries, TargetUrl url, List<T> found) {
        if (entries == null) {
            return;
        }
        for (T entry : entries) {
            if (pattern.apply(entry).matches(url)) {
                found.add(entry);
            }
        }
    }

    /** Whether, for this host, scheme, port or path decide too what matches. */
    boolean dependsOnPath(String host) {
        if (prefixEverywhere || prefixExact.contains(host)) {
            return true;
        }
        if (prefixUnder.isEmpty()) {
            return false;
        }
        for (int dot = -1; ; ) {
            if (prefixUnder.contains(host.substring(dot + 1))) {
                return true;
            }
            dot = host.indexOf('.', dot + 1);
            if (dot < 0) {
                return false;
            }
        }
    }
}
