package io.paceline.service.reload;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.Ticker;
import io.paceline.pool.PoolConfig;
import io.paceline.service.config.AddedAddress;
import io.paceline.service.config.Assembly;
import io.paceline.service.config.ConfigError;
import io.paceline.service.config.ConfigResult;
import io.paceline.service.config.FileStamp;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.config.UrlList;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.supply.AddedAddresses;
import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyHook;
import io.paceline.service.supply.SupplyListener;
import io.paceline.service.supply.SupplyState;
import io.paceline.service.supply.UrlLists;
import io.paceline.service.supply.Vault;
import io.paceline.service.supply.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what runs by the configuration as the files have it now, and its pools by the addresses that are listed, added and
 * supplied now.
 *
 * <pre>
 *   files look otherwise --.
 *   SIGHUP, POST /reload --+--&gt; load all -- broken ------------------------&gt; nothing changes, everybody is told
 *                               |
 *                               valid --&gt; fetch lists that are new --&gt; a pool would lose its last address: as broken
 *                                                                  '--&gt; Live.apply: one swap
 *   a list has changed ----.
 *   POST, DELETE address --+--&gt; the same configuration with other addresses --&gt; Live.apply
 *   a provider has given --'
 * </pre>
 *
 * <p>One thread of its own does all that, one after another; the methods may be called from any. What cannot change while
 * the service runs stays as it is, and is reported with every reload until the files say so again or the service is
 * restarted.
 */
public final class Reloader implements ConfigControl, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

    /** How long the start waits for lists of which there is no copy. */
    private static final long START_SECONDS = 10;

    /** How long a reload waits for lists that are new in it. */
    private static final long FETCH_SECONDS = 15;

    private static final long APPLY_SECONDS = 30;

    /** Lists and providers are looked after at least so often, however seldom files are. */
    private static final long LONGEST_PAUSE_MICROS = 1_000_000;

    private static final long RETRY_MICROS = 60_000_000;

    private final Supplier<ConfigResult> source;
    private final Ticker ticker;
    private final ReloadListener listener;
    private final ScheduledThreadPoolExecutor home;
    private final FileWatch watch = new FileWatch(FileStamp::of);
    private final UrlLists lists;
    private final SupplyHook supply;
    private final AddedAddresses added;

    private final ServiceConfig started;
    private ServiceConfig current;
    private List<PoolConfig> pools;
    private volatile @Nullable Live live;
    private volatile ConfigStatus status;
    /** A reload waits for its lists; the next waits for it. */
    private CompletionStage<?> last = CompletableFuture.completedStage(null);

    private boolean reloading;

    private long nextLookMicros;

    /** When a configuration is tried again that failed for what may pass by itself. */
    private long retryMicros = Long.MAX_VALUE;

    /**
     * What a reloader works with.
     *
     * @param source reads the files anew, as the start did
     * @param web fetches lists and asks providers
     * @param vault keeps copies of lists, added addresses, and what was spent
     * @param copyNames what the copy of a URL's list is called
     */
    public record Parts(
            Supplier<ConfigResult> source,
            Web web,
            Vault vault,
            UnaryOperator<String> copyNames,
            RandomGenerator random,
            Ticker ticker,
            ReloadListener listener) {}

    /**
     * Begins with the configuration of the start; waits a little for lists of which there is no copy.
     *
     * @throws IOException where what was kept of an earlier run cannot be read; the message is for a person
     */
    public Reloader(ServiceConfig config, Parts parts) throws IOException {
        this.source = parts.source();
        this.ticker = parts.ticker();
        this.listener = parts.listener();
        this.home = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "paceline-reload");
            thread.setDaemon(true);
            return thread;
        });
        home.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        SupplyListener told = new Told();
        try {
            added = new AddedAddresses(parts.vault());
            lists = new UrlLists(parts.web(), parts.vault(), parts.copyNames(), parts.random(), home, told);
            supply = new SupplyHook(parts.web(), parts.vault(), home, told, this::take);
        } catch (IOException | RuntimeException unreadable) {
            home.shutdownNow();
            throw new IOException(
                    "what the data folder keeps of added or supplied addresses cannot be read: restore its files"
                            + " \"added\" and \"supply\", or delete them",
                    unreadable);
        }
        started = config;
        current = config;
        lists.configure(config.urlLists(), ticker.micros());
        supply.configure(config.supplies());
        watch.read(config.files());
        awaitLists();
        // The thread of its own may still be taking lists in.
        pools = CompletableFuture.supplyAsync(() -> assembled(config), home).join();
        status = CompletableFuture.supplyAsync(() -> status(ConfigState.started(ticker.micros())), home)
                .join();
    }

    private void awaitLists() {
        try {
            CompletableFuture.supplyAsync(() -> lists.fetchMissing(ticker.micros()), home)
                    .thenCompose(stage -> stage)
                    .get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOG.debug("lists that come later", late);
        }
    }

    /** The pools to begin with. */
    public List<PoolConfig> pools() {
        return pools;
    }

    /** From now on what runs follows the files, lists and providers. */
    public void start(Live running) {
        live = running;
        for (PoolConfig pool : pools) {
            if (pool.addresses().isEmpty()) {
                LOG.warn(
                        "pool {} has no address yet: requests to it are refused until one of its lists can be fetched",
                        pool.settings().name());
            }
        }
        home.execute(() -> reassemble("lists have come"));
        schedule();
    }

    // ---- what people ask for, from any thread

    @Override
    public CompletionStage<ReloadResult> reload(String why) {
        return inTurn(() -> {
            reloading = true;
            CompletionStage<ReloadResult> result;
            try {
                result = read(why);
            } catch (RuntimeException fault) {
                result = CompletableFuture.failedStage(fault);
            }
            return result.whenComplete((done, failure) -> {
                reloading = false;
                if (failure != null) {
                    LOG.error("a reload has failed, nothing has changed", failure);
                }
            });
        });
    }

    @Override
    public CompletionStage<Additions> add(
            @Nullable String pool, List<ProxyEntry> entries, Map<String, String> tags, double weight, boolean metered) {
        return inTurn(() -> {
            try {
                String name = pool == null ? current.pools().get(0).settings().name() : pool;
                return CompletableFuture.completedStage(
                        add(name, entries, tags, weight, metered, AddedAddress.By.API, "addresses added by the API"));
            } catch (IOException | RuntimeException failure) {
                return CompletableFuture.failedStage(failure);
            }
        });
    }

    @Override
    public CompletionStage<Removal> remove(String id) {
        return inTurn(() -> {
            try {
                return CompletableFuture.completedStage(removeNow(id));
            } catch (IOException | RuntimeException failure) {
                return CompletableFuture.failedStage(failure);
            }
        });
    }

    @Override
    public ConfigStatus status() {
        return status;
    }

    /** One after another, each after the one before has ended for good. */
    private synchronized <T> CompletionStage<T> inTurn(Supplier<CompletionStage<T>> task) {
        CompletionStage<T> mine =
                last.handleAsync((before, failure) -> task.get(), home).thenCompose(stage -> stage);
        last = mine;
        return mine;
    }

    // ---- time

    private void schedule() {
        try {
            long pause = Math.min(LONGEST_PAUSE_MICROS, pollMicros());
            ScheduledFuture<?> unused = home.schedule(this::tick, pause, TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("no further look at the files", closed);
        }
    }

    private long pollMicros() {
        return TimeUnit.NANOSECONDS.toMicros(current.reload().poll().toNanos());
    }

    /** Whether it is time to look at the files, and they want to be read again. */
    private boolean filesAreDue(long nowMicros) {
        if (!current.reload().watch() || nowMicros < nextLookMicros) {
            return false;
        }
        nextLookMicros = nowMicros + pollMicros();
        return watch.isDue(
                nowMicros,
                TimeUnit.NANOSECONDS.toMicros(current.reload().settle().toNanos()));
    }

    private void tick() {
        try {
            Live running = live;
            long now = ticker.micros();
            if (!reloading && now >= retryMicros) {
                CompletionStage<ReloadResult> unused = reload("tried again");
            } else if (!reloading && filesAreDue(now)) {
                CompletionStage<ReloadResult> unused = reload("files have changed");
            }
            lists.tick(now);
            if (running != null) {
                supply.tick(now, running::inService);
            }
            status = status(status.state());
        } catch (RuntimeException fault) {
            LOG.error("a look at files, lists and providers failed", fault);
        } finally {
            schedule();
        }
    }

    // ---- the files

    private CompletionStage<ReloadResult> read(String why) {
        ConfigResult result;
        retryMicros = Long.MAX_VALUE;
        try {
            result = source.get();
        } catch (RuntimeException fault) {
            LOG.error("the configuration cannot be loaded", fault);
            return CompletableFuture.completedStage(
                    broken(why, List.of(error("it cannot be loaded; the log says why")), current.files()));
        }
        if (result instanceof ConfigResult.Broken broken) {
            return CompletableFuture.completedStage(broken(why, broken.errors(), broken.files()));
        }
        ServiceConfig wanted = ((ConfigResult.Loaded) result).config();
        // Until it is decided, those of both are known.
        List<UrlList> both = new ArrayList<>(current.urlLists());
        both.addAll(wanted.urlLists());
        lists.configure(both, ticker.micros());
        return lists.fetchMissing(ticker.micros())
                .toCompletableFuture()
                .completeOnTimeout(null, FETCH_SECONDS, TimeUnit.SECONDS)
                .handleAsync((fetched, failure) -> take(why, wanted), home);
    }

    private ReloadResult take(String why, ServiceConfig wanted) {
        ServiceConfig next = wanted.keeping(started);
        List<PoolConfig> nextPools = assembled(next);
        List<ConfigError> errors = emptied(nextPools);
        if (errors.isEmpty()) {
            List<String> changes = new ArrayList<>(ConfigChanges.between(current, next));
            changes.addAll(ConfigChanges.ofAddresses(pools, nextPools));
            errors = applied(next, nextPools); // also where nothing is told of: not everything is worth a sentence
            if (errors.isEmpty()) {
                watch.read(next.files());
                lists.configure(next.urlLists(), ticker.micros());
                supply.configure(next.supplies());
                current = next;
                pools = nextPools;
                return told(why, changes, ConfigChanges.restart(started, wanted), wanted.warnings());
            }
        }
        lists.configure(current.urlLists(), ticker.micros());
        retryMicros = ticker.micros() + RETRY_MICROS;
        return broken(why, errors, wanted.files());
    }

    /** A list that was never fetched must not take the last address of a pool away. */
    private List<ConfigError> emptied(List<PoolConfig> next) {
        Set<String> emptyAlready = new HashSet<>();
        for (PoolConfig pool : pools) {
            if (pool.addresses().isEmpty()) {
                emptyAlready.add(pool.settings().name());
            }
        }
        List<ConfigError> errors = new ArrayList<>();
        for (PoolConfig pool : next) {
            String name = pool.settings().name();
            if (pool.addresses().isEmpty() && !emptyAlready.contains(name)) {
                StringBuilder faults = new StringBuilder();
                for (ListState list : lists.states()) {
                    if (list.pool().equals(name)) {
                        faults.append("; list ")
                                .append(list.source())
                                .append(": ")
                                .append(list.fault() == null ? "no answer yet" : list.fault());
                    }
                }
                errors.add(error("pool \"" + name + "\" would have no address" + faults));
            }
        }
        return errors;
    }

    private List<ConfigError> applied(ServiceConfig next, List<PoolConfig> nextPools) {
        Live running = live;
        if (running == null) {
            return List.of(error("the service is still starting"));
        }
        try {
            running.apply(next, nextPools).toCompletableFuture().get(APPLY_SECONDS, TimeUnit.SECONDS);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(error("the service is stopping"));
        } catch (IllegalArgumentException unfit) {
            return List.of(error(String.valueOf(unfit.getMessage())));
        } catch (ExecutionException | TimeoutException | RuntimeException failure) {
            LOG.error("the configuration could not be put into force", failure);
            return List.of(error("it could not be put into force; the log says why"));
        }
    }

    private static ConfigError error(String message) {
        return new ConfigError("the configuration", 0, 0, message);
    }

    private ReloadResult told(String why, List<String> changes, List<String> needsRestart, List<ConfigError> warnings) {
        ConfigState before = status.state();
        boolean changed = !changes.isEmpty();
        ConfigState state = new ConfigState(
                before.generation() + (changed ? 1 : 0),
                changed ? ticker.micros() : before.sinceMicros(),
                List.of(),
                0,
                needsRestart);
        status = status(state);
        ReloadResult result = new ReloadResult(
                changed ? ReloadResult.Outcome.APPLIED : ReloadResult.Outcome.UNCHANGED,
                state.generation(),
                changes,
                needsRestart,
                List.of(),
                warnings);
        listener.reloaded(why, result, state);
        return result;
    }

    private ReloadResult broken(String why, List<ConfigError> errors, Map<Path, FileStamp> files) {
        watch.read(files);
        ConfigState before = status.state();
        ConfigState state = new ConfigState(
                before.generation(),
                before.sinceMicros(),
                errors,
                before.valid() ? ticker.micros() : before.brokenSinceMicros(),
                before.needsRestart());
        status = status(state);
        ReloadResult result = new ReloadResult(
                ReloadResult.Outcome.BROKEN, state.generation(), List.of(), before.needsRestart(), errors, List.of());
        listener.reloaded(why, result, state);
        return result;
    }

    private ConfigStatus status(ConfigState state) {
        return new ConfigStatus(state, lists.states(), supply.states(ticker.micros()));
    }

    // ---- addresses that are in no file

    private List<PoolConfig> assembled(ServiceConfig config) {
        return Assembly.pools(config, lists::entries, added.all());
    }

    /** The same configuration with the addresses of this moment; false where that failed. */
    private boolean reassemble(String why) {
        List<PoolConfig> next = assembled(current);
        List<String> changes = ConfigChanges.ofAddresses(pools, next);
        if (changes.isEmpty()) {
            return true;
        }
        if (!applied(current, next).isEmpty()) {
            return false;
        }
        pools = next;
        ConfigState before = status.state();
        ConfigState state = new ConfigState(
                before.generation() + 1,
                ticker.micros(),
                before.errors(),
                before.brokenSinceMicros(),
                before.needsRestart());
        status = status(state);
        listener.reloaded(
                why,
                new ReloadResult(
                        ReloadResult.Outcome.APPLIED,
                        state.generation(),
                        changes,
                        before.needsRestart(),
                        List.of(),
                        List.of()),
                state);
        return true;
    }

    private Additions add(
            String pool,
            List<ProxyEntry> entries,
            Map<String, String> tags,
            double weight,
            boolean metered,
            AddedAddress.By by,
            String why)
            throws IOException {
        Map<Endpoint, String> before = idsOf(pool);
        List<AddedAddress> fresh = new ArrayList<>();
        Set<Endpoint> asked = new HashSet<>();
        for (ProxyEntry entry : entries) {
            if (asked.add(entry.endpoint()) && !before.containsKey(entry.endpoint())) {
                Map<String, String> all = new LinkedHashMap<>(tags);
                all.putAll(entry.tags());
                fresh.add(new AddedAddress(pool, entry.endpoint(), all, weight, metered, by, ticker.micros()));
            }
        }
        if (added.size() + fresh.size() > AddedAddresses.MOST) {
            throw new IllegalArgumentException("more than " + AddedAddresses.MOST
                    + " added addresses are too many: write them into a file, or remove some");
        }
        if (!fresh.isEmpty()) {
            added.add(fresh);
            if (!reassemble(why)) {
                throw new IOException("the addresses are kept, but could not be put into force yet");
            }
        }
        Map<Endpoint, String> after = idsOf(pool);
        List<String> ids = new ArrayList<>();
        fresh.forEach(address -> ids.add(String.valueOf(after.get(address.endpoint()))));
        List<String> known = new ArrayList<>();
        asked.stream().filter(before::containsKey).forEach(endpoint -> known.add(String.valueOf(before.get(endpoint))));
        return new Additions(ids, known);
    }

    private Map<Endpoint, String> idsOf(String pool) {
        for (PoolConfig candidate : pools) {
            if (candidate.settings().name().equals(pool)) {
                Map<Endpoint, String> ids = new LinkedHashMap<>();
                candidate.addresses().forEach(address -> ids.put(address.endpoint(), address.id()));
                return ids;
            }
        }
        throw new IllegalArgumentException("there is no pool \"" + pool + "\"");
    }

    private Removal removeNow(String id) throws IOException {
        Endpoint endpoint = endpointOf(pools, id);
        if (endpoint == null) {
            return Removal.UNKNOWN;
        }
        boolean removed = added.remove(endpoint);
        if (removed) {
            reassemble("an address removed by the API");
        }
        return endpointOf(pools, id) == null ? Removal.REMOVED : Removal.CONFIGURED;
    }

    private static @Nullable Endpoint endpointOf(Collection<PoolConfig> pools, String id) {
        for (PoolConfig pool : pools) {
            for (Address address : pool.addresses()) {
                if (address.id().equals(id)) {
                    return address.endpoint();
                }
            }
        }
        return null;
    }

    /** What a provider has given. */
    private int take(String pool, List<ProxyEntry> entries) {
        try {
            return add(pool, entries, Map.of(), 1, false, AddedAddress.By.SUPPLY, "addresses supplied")
                    .added()
                    .size();
        } catch (IOException | IllegalArgumentException lost) {
            LOG.error("addresses that were supplied for pool {} are lost: {}", pool, lost.getMessage());
            return 0;
        }
    }

    /** What happens to lists and providers goes on to the listener; other addresses mean other pools. */
    private final class Told implements SupplyListener {
        @Override
        public void changed(String why) {
            if (live != null) {
                reassemble(why);
            }
        }

        @Override
        public void fetched(ListState list) {
            listener.fetched(list);
        }

        @Override
        public void asked(SupplyState state, String what, String reason, int addresses) {
            listener.asked(state, what, reason, addresses);
        }
    }

    @Override
    public void close() {
        home.shutdownNow();
    }
}
