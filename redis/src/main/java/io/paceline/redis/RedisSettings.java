package io.paceline.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where the shared store is, and how long it is waited for.
 *
 * <pre>
 *   redis://[user[:password]@]host[:6379][/database]
 *   rediss://...                                        the same over TLS
 *   redis-sentinel://[[user:]password@]host[:26379][,host...][/database]#master
 *   rediss-sentinel://...
 *   redis-cluster://[user[:password]@]host[:6379][,host...]
 *   rediss-cluster://...
 * </pre>
 *
 * @param uri as above; it may hold a password, so this record is never written as text
 * @param prefix what every key begins with, in braces: on a cluster all keys of one installation are in one slot
 * @param timeout how long an answer is waited for
 * @param queue how many commands may wait for their answers
 */
public record RedisSettings(String uri, String prefix, Duration timeout, int queue) {
    public static final String DEFAULT_PREFIX = "paceline";
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(100);
    public static final int DEFAULT_QUEUE = 10_000;

    private static final List<String> SCHEMES =
            List.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

    public RedisSettings {
        Objects.requireNonNull(uri, "uri");
        if (!SCHEMES.contains(scheme(uri))) {
            throw new IllegalArgumentException("the store's address begins with '" + scheme(uri) + "': write one of "
                    + String.join("://, ", SCHEMES) + "://");
        }
        if (scheme(uri).endsWith("-sentinel") && uri.indexOf('#') < 0) {
            throw new IllegalArgumentException("the store's address names no master: write its name at the end, as in "
                    + "redis-sentinel://host#mymaster");
        }
        if (places(uri).isEmpty()) {
            throw new IllegalArgumentException("the store's address names no host: write redis://host:6379");
        }
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException(
                    "the store's prefix '" + prefix + "' is not 1 to 64 of letters, digits, '_', '-', '.' and ':'");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the store's time-out " + timeout.toMillis() + "ms is not above 0");
        }
        if (queue < 1) {
            throw new IllegalArgumentException("the store's queue of " + queue + " is not at least 1");
        }
    }

    /** Whether keys may begin so. */
    public static boolean isPrefix(String text) {
        return PREFIX.matcher(text).matches();
    }

    /** The usual bounds. */
    public static RedisSettings of(String uri) {
        return new RedisSettings(uri, DEFAULT_PREFIX, DEFAULT_TIMEOUT, DEFAULT_QUEUE);
    }

    /** The same under another name, so that several installations share one Redis. */
    public RedisSettings withPrefix(String other) {
        return new RedisSettings(uri, other, timeout, queue);
    }

    boolean isCluster() {
        return scheme(uri).endsWith("-cluster");
    }

    /** For Lettuce, which knows no scheme for clusters: an address for each node. */
    List<String> nodeUris() {
        String plain = scheme(uri).startsWith("rediss") ? "rediss://" : "redis://";
        String user = uri.contains("@") ? uri.substring(afterScheme(uri), uri.lastIndexOf('@') + 1) : "";
        return hosts(uri).stream().map(host -> plain + user + host).toList();
    }

    /** Hosts and ports alone: what may be told. */
    public String places() {
        return String.join(", ", hosts(uri));
    }

    private static String places(String uri) {
        return String.join("", hosts(uri));
    }

    private static List<String> hosts(String uri) {
        int from = Math.max(afterScheme(uri), uri.lastIndexOf('@') + 1);
        String rest = uri.substring(Math.min(from, uri.length()));
        String hosts = rest.split("[/?#]", 2)[0];
        return hosts.isEmpty() ? List.of() : List.of(hosts.split(","));
    }

    private static int afterScheme(String uri) {
        return uri.indexOf("://") + 3;
    }

    private static String scheme(String uri) {
        int end = uri.indexOf("://");
        return end < 0 ? "" : uri.substring(0, end).toLowerCase(Locale.ROOT);
    }

    /** Of one server or Sentinel; checks what can be checked without a connection. */
    String checked() {
        try {
            new URI(uri.replace(',', '-'));
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the store's address cannot be read: write redis://user:password@host:6379, with signs in the"
                            + " password as %40 and the like");
        }
    }

    /** Without the address, which may hold a password. */
    @Override
    public String toString() {
        return "RedisSettings[" + places() + ", prefix=" + prefix + ", timeout=" + timeout.toMillis() + "ms, queue="
                + queue + "]";
    }
}
