package io.paceline.service.supply;

import io.paceline.service.config.UrlList;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists that are fetched, each with its last good copy.
 *
 * <pre>
 *   answer                               becomes
 *   200 with at least one usable line    the list; a copy goes to the vault
 *   304                                  the list is good for another while
 *   200 with none, any other, no answer  nothing: the last good list stays, and the next try comes sooner
 * </pre>
 *
 * <p>Tries come {@code refresh} apart, give or take a tenth by chance, so that a fleet does not ask at once; after a failure
 * 10 s, doubled with each further one up to {@code refresh}. Confined to the executor it is given, but for the constructor.
 */
public final class UrlLists {

    private static final Logger LOG = LoggerFactory.getLogger(UrlLists.class);

    private static final long FIRST_RETRY_MICROS = 10_000_000;
    private static final int MOST_DOUBLINGS = 20;
    private static final double JITTER = 0.1;

    private final Web web;
    private final Vault vault;
    private final UnaryOperator<String> copyNames;
    private final RandomGenerator random;
    private final Executor home;
    private final SupplyListener listener;
    private final Map<String, Source> byUrl = new LinkedHashMap<>();
    private List<UrlList> wanted = List.of();

    /** What is known of one URL, which several pools may list. */
    private static final class Source {
        private final String url;
        private UrlList list;
        private @Nullable ListCopy copy;
        private List<ProxyEntry> entries = List.of();
        private int badLines;
        private @Nullable String fault;
        private int failures;
        private long nextMicros;
        private boolean asking;

        Source(UrlList list) {
            this.url = list.url().value();
            this.list = list;
        }
    }

    /**
     * @param copyNames what the copy of a URL's list is called
     * @param home runs everything that changes state, one after another
     */
    public UrlLists(
            Web web,
            Vault vault,
            UnaryOperator<String> copyNames,
            RandomGenerator random,
            Executor home,
            SupplyListener listener) {
        this.web = web;
        this.vault = vault;
        this.copyNames = copyNames;
        this.random = random;
        this.home = home;
        this.listener = listener;
    }

    /** Wants these lists and no others from now on; a new one begins with the copy of an earlier run, if there is one. */
    public void configure(List<UrlList> lists, long nowMicros) {
        wanted = List.copyOf(lists);
        Map<String, Source> kept = new LinkedHashMap<>();
        for (UrlList list : wanted) {
            Source source = kept.computeIfAbsent(list.url().value(), url -> known(list, nowMicros));
            boolean sooner = list.refresh().compareTo(source.list.refresh()) < 0;
            if (source.list.pool().equals(list.pool()) || sooner) {
                source.list = list;
            }
            if (source.failures == 0 && source.copy != null) {
                source.nextMicros = Math.min(source.nextMicros, source.copy.fetchedMicros() + refreshMicros(list));
            }
        }
        byUrl.clear();
        byUrl.putAll(kept);
    }

    private Source known(UrlList list, long nowMicros) {
        Source known = byUrl.get(list.url().value());
        if (known != null) {
            return known;
        }
        Source source = new Source(list);
        source.nextMicros = nowMicros;
        try {
            vault.read(copyNames.apply(source.url))
                    .flatMap(ListCopy::read)
                    .ifPresent(copy -> take(source, copy, ProxyList.read(copy.octets())));
        } catch (IOException unreadable) {
            LOG.warn("the copy of list {} cannot be read: it is fetched anew", list.shown());
        }
        return source;
    }

    /** The addresses that a list has now. */
    public List<ProxyEntry> entries(UrlList list) {
        Source source = byUrl.get(list.url().value());
        return source == null ? List.of() : source.entries;
    }

    /** How each list stands. */
    public List<ListState> states() {
        return wanted.stream()
                .map(list -> {
                    Source source = byUrl.get(list.url().value());
                    return source == null
                            ? new ListState(list.pool(), list.shown(), 0, 0, 0, null)
                            : state(source, list);
                })
                .toList();
    }

    private static ListState state(Source source, UrlList list) {
        return new ListState(
                list.pool(),
                list.shown(),
                source.entries.size(),
                source.badLines,
                source.copy == null ? 0 : source.copy.fetchedMicros(),
                source.fault);
    }

    /** Fetches what is due. */
    public void tick(long nowMicros) {
        for (Source source : List.copyOf(byUrl.values())) {
            if (!source.asking && source.nextMicros <= nowMicros) {
                CompletionStage<Void> unused = fetch(source, nowMicros);
            }
        }
    }

    /** Fetches those that there is no copy of and that were not tried before; completes when every one of them has come or failed. */
    public CompletionStage<Void> fetchMissing(long nowMicros) {
        Collection<CompletableFuture<Void>> missing = new ArrayList<>();
        for (Source source : byUrl.values()) {
            if (source.copy == null && source.failures == 0 && !source.asking) {
                missing.add(fetch(source, nowMicros).toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(missing.toArray(CompletableFuture[]::new));
    }

    private CompletionStage<Void> fetch(Source source, long nowMicros) {
        source.asking = true;
        ListCopy copy = source.copy;
        Web.Ask ask = new Web.Ask(
                source.list.url(), copy == null ? null : copy.etag(), copy == null ? null : copy.lastModified());
        return web.get(ask)
                .handleAsync(
                        (answer, failure) -> {
                            source.asking = false;
                            if (byUrl.containsValue(source)) {
                                heard(source, answer, failure, nowMicros);
                            }
                            return null;
                        },
                        home);
    }

    private void heard(Source source, Web.@Nullable Answer answer, @Nullable Throwable failure, long askedMicros) {
        if (answer == null || failure != null) {
            failed(source, why(failure), askedMicros);
        } else if (answer.status() == 304 && source.copy != null) {
            succeeded(source, source.copy.confirmed(askedMicros));
        } else if (answer.status() != 200) {
            failed(source, "it answered " + answer.status(), askedMicros);
        } else {
            ProxyList list = ProxyList.read(answer.body());
            if (list.entries().isEmpty()) {
                failed(source, "it has no usable line" + account(list), askedMicros);
                return;
            }
            ListCopy copy = new ListCopy(answer.body(), answer.etag(), answer.lastModified(), askedMicros);
            boolean changed = !list.entries().equals(source.entries);
            take(source, copy, list);
            succeeded(source, copy);
            if (changed) {
                listener.changed("list " + source.list.shown());
            }
        }
    }

    private static String account(ProxyList list) {
        return list.badLines() == 0 ? ": it is empty" : ": " + list.badLines() + " cannot be read";
    }

    private static String why(@Nullable Throwable failure) {
        Throwable cause = failure != null && failure.getCause() instanceof Web.WebException ours ? ours : failure;
        return cause instanceof Web.WebException ours ? String.valueOf(ours.getMessage()) : "it cannot be asked";
    }

    private void take(Source source, ListCopy copy, ProxyList list) {
        source.copy = copy;
        source.entries = list.entries();
        source.badLines = list.badLines();
        source.nextMicros = copy.fetchedMicros() + refreshMicros(source.list);
    }

    private void succeeded(Source source, ListCopy copy) {
        source.copy = copy;
        source.fault = null;
        source.failures = 0;
        source.nextMicros = copy.fetchedMicros() + refreshMicros(source.list);
        try {
            vault.write(copyNames.apply(source.url), copy.write());
        } catch (IOException unwritable) {
            LOG.warn("the copy of list {} cannot be written: {}", source.list.shown(), unwritable.getMessage());
        }
        listener.fetched(state(source, source.list));
    }

    private void failed(Source source, String fault, long askedMicros) {
        boolean news = !fault.equals(source.fault);
        source.fault = fault;
        source.failures = Math.min(MOST_DOUBLINGS, source.failures + 1);
        long wait = Math.min(
                FIRST_RETRY_MICROS << (source.failures - 1),
                source.list.refresh().toNanos() / 1_000);
        source.nextMicros = askedMicros + jittered(wait);
        if (news) {
            listener.fetched(state(source, source.list));
        }
    }

    private long refreshMicros(UrlList list) {
        return jittered(list.refresh().toNanos() / 1_000);
    }

    private long jittered(long micros) {
        return Math.round(micros * (1 + JITTER * (2 * random.nextDouble() - 1)));
    }
}
